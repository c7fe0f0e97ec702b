// A viewer's transcript, computed from the bytes of what it was told: whoever watches
// with `withBytes` holds the server to one history (docs/RECORD.md, Transcripts).

import { equals, fromBinary } from "@bufbuild/protobuf";
import { sha256 } from "@noble/hashes/sha2.js";

import { type Step, StepSchema } from "./gen/skald/encounter/v1/encounter_pb.js";
import type { PublicMark } from "./gen/skald/encounter/v1/record_pb.js";

/** What was told does not go with the transcript. */
export class TranscriptError extends Error {
  override readonly name = "TranscriptError";
  constructor(message: string, readonly number: bigint, cause?: unknown) {
    super(`step ${number}: ${message}`, { cause });
  }
}

/** Where a transcript stands. */
export interface Mark {
  readonly number: bigint;
  readonly transcript: Uint8Array;
}

const utf8 = new TextEncoder(), domain = (text: string) => utf8.encode(`${text}\n`);
const beginDomain = domain("skald/transcript/begin/v1"), stepDomain = domain("skald/step/v1"), nextDomain = domain("skald/transcript/v1");

function hash(...parts: readonly Uint8Array[]): Uint8Array {
  const h = sha256.create();
  for (const part of parts) h.update(part);
  return h.digest();
}

function u64(n: bigint): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, n);
  return out;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The transcript of one viewer of one encounter. */
export class Transcript {
  #number = 0n;
  #hash: Uint8Array;
  readonly #first: bigint;
  readonly #marks: Uint8Array[];

  /** From the beginning, or after a step whose mark was kept. */
  constructor(encounter: string, table = "main", from?: Mark) {
    this.#number = from?.number ?? 0n;
    this.#hash = from?.transcript.slice() ?? hash(beginDomain, utf8.encode(`${table || "main"}/${encounter}\n`));
    this.#first = this.#number;
    this.#marks = [this.#hash];
  }

  /** Number of the last step that was taken. */
  get number(): bigint {
    return this.#number;
  }

  /** The transcript after it. */
  get hash(): Uint8Array {
    return this.#hash.slice();
  }

  /** The same in words, to be compared aloud. */
  get words(): string {
    return wordsOf(this.#hash);
  }

  /**
   * Takes the next step of a watch with `withBytes`: it must be the next one, show what
   * its bytes say, and come to the transcript that the server gives with it. Throws a
   * {@link TranscriptError} otherwise, and is left as it was. What `ruling` of the step
   * says is not hashed: it is laid side by side anew whenever it is asked for.
   */
  take(step: Step): void {
    const refuse = (why: string, cause?: unknown) => new TranscriptError(why, step.number, cause);
    if (step.number !== this.#number + 1n) throw refuse(`it came where ${this.#number + 1n} must follow`);
    if (step.bytes.length === 0) throw refuse("it has no bytes: watch with withBytes, and not by histories");
    const next = hash(nextDomain, this.#hash, u64(step.number), hash(stepDomain, step.bytes));
    if (!same(next, step.transcript)) throw refuse("the server gives another transcript than the one that its bytes come to");
    let told: Step;
    try {
      told = fromBinary(StepSchema, step.bytes);
    } catch (err) {
      throw refuse("its bytes are no step", err);
    }
    const { number, cursor, transcript, bytes, ruling } = step;
    if (!equals(StepSchema, { ...told, number, cursor, transcript, bytes, ...(ruling ? { ruling } : {}) } as Step, step)) throw refuse("it shows something else than its bytes say");
    this.#number = step.number;
    this.#hash = next;
    this.#marks.push(next);
  }

  /** The mark after a step that was taken, to go on from or to compare; undefined where it is not known. */
  at(number: bigint): Mark | undefined {
    const transcript = number < this.#first ? undefined : this.#marks[Number(number - this.#first)];
    return transcript && { number, transcript: transcript.slice() };
  }

  /**
   * Of a spectator's transcript: whether what the server says of the public history
   * (`public` of `caughtUp` and `alive`) is what was told here; undefined for a step
   * that is not known here.
   */
  agrees(mark: PublicMark): boolean | undefined {
    const own = this.at(mark.number);
    return own && same(own.transcript, mark.transcript) && wordsOf(mark.transcript) === mark.words;
  }
}

/** A transcript in eight words; empty for what is none. */
export function wordsOf(transcript: Uint8Array): string {
  return transcript.length < 8 ? "" : Array.from(transcript.subarray(0, 8), (byte) => words[byte]).join(" ");
}

/** A word for each value of a byte: pkg/attest/words.txt, which never changes. */
const words = (
  "acorn amber anchor anvil apple apron arrow aspen badge bagpipe baker balcony banjo banner barley barrel basket beacon beaver beetle bench birch " +
  "biscuit blanket blossom bonfire bottle boulder bracelet bramble bridge bronze brook bucket butter button cabin cactus camel candle canoe canvas " +
  "caravan carpet carrot castle cedar cellar chalk cherry chimney cinnamon clarinet clover cobweb coffee comet compass copper coral cotton cradle crayon " +
  "cricket crystal cuckoo curtain cushion daisy desert diamond dolphin donkey dragon eagle easel echo elbow elephant engine falcon farmer feather fennel " +
  "ferry fiddle finger flamingo flute forest fossil fountain galaxy garden garlic garnet giraffe glacier goblet goose granite grape guitar hammer hammock " +
  "harbour harvest hazel hedgehog helmet heron hollow honey hornet iceberg igloo indigo iron island ivory jacket jasmine jewel jigsaw juniper kangaroo " +
  "kettle kitchen ladder lagoon lantern lavender leather lemon lettuce lizard lobster magnet magpie mango maple meadow melon mirror mitten monsoon mosaic " +
  "mountain muffin mushroom mustard napkin needle nettle nickel nutmeg oatmeal ocean olive onion opal orange orchard orchid otter oyster paddle palace " +
  "panther parrot parsley peacock pebble pelican pencil pepper piano pigeon pillow pirate planet pocket poppy prairie pumpkin pyramid quarry quill quilt " +
  "rabbit radish rainbow raven ribbon river robin rocket rooster rosemary ruby saddle saffron salmon sandal sapphire satchel scarf scooter shadow shelter " +
  "silver skylark snowflake sparrow spider spinach squirrel stable starfish summit sunset swallow tablet tadpole teapot temple thimble thistle thunder " +
  "tiger timber tomato topaz tower trumpet tulip tunnel turtle umbrella unicorn valley vanilla velvet village violet volcano waffle walnut walrus willow " +
  "window winter wizard yacht yarrow zebra"
).split(" ");
