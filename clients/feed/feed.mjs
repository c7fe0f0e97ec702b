// Prints what happens in every encounter, as Skald's feed tells it, and checks the
// chain of transcripts as it reads (docs/FEED.md):
//   node feed.mjs 127.0.0.1:7722 feed PASSWORD [how many lines]
import { createHash } from "node:crypto";
import { connect } from "@nats-io/transport-node";
import { jetstream } from "@nats-io/jetstream";

const [servers, user, pass, most = "Infinity"] = process.argv.slice(2);
const nc = await connect({ servers, user, pass, maxReconnectAttempts: -1 });
const consumer = await jetstream(nc).consumers.get("SKALD_FEED", { filter_subjects: "skald.feed.json.>" });

const sum = (...parts) => parts.reduce((h, p) => h.update(p), createHash("sha256")).digest();
const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64BE(BigInt(n)); return b; };

const at = new Map(); // by table/encounter: keep it to go on later
let lines = 0;
for await (const m of await consumer.consume()) {
  const id = m.subject.split(".").slice(3).join("/");
  const number = Number(m.headers.get("Skald-Number"));
  const transcript = Buffer.from(m.headers.get("Skald-Transcript"), "base64");
  const step = m.data.length > 0 ? m.json() : undefined; // empty where the step is too long for a message
  let was = at.get(id);
  if (was && number <= was.number) was = undefined; // filled in again from the beginning
  if (!was && number === 1) was = { number: 0, transcript: sum("skald/transcript/begin/v1\n", id + "\n") };
  const digest = step ? sum("skald/step/v1\n", Buffer.from(step.bytes ?? "", "base64")) : Buffer.from(m.headers.get("Skald-Digest"), "base64");
  if (was && (number !== was.number + 1 || !sum("skald/transcript/v1\n", was.transcript, u64(number), digest).equals(transcript))) {
    throw new Error(`${id}: step ${number} does not follow step ${was.number}`);
  }
  at.set(id, { number, transcript });
  console.log(`${id} ${number} events ${step?.events?.length ?? 0} ruling ${step?.ruling !== undefined} chain ${was !== undefined}`);
  if (++lines >= Number(most)) break;
}
await nc.close();
