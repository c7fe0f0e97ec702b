// Options as forms, and filled forms as commands: one reading of what the contracts
// say, without a word of any rule system. What a form cannot know (a way, words, a
// number without ends) the server decides; what it can know is refused here with the
// field.

import { type JsonObject, type JsonValue, type MessageInitShape, create, fromJson, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";

import type { Option, Parameter, Square } from "./gen/skald/event/v1/option_pb.js";
import { type CircumstanceSchema } from "./gen/skald/event/v1/action_pb.js";
import { type Command, CommandSchema, type EarlyAnswerSchema } from "./gen/skald/event/v1/command_pb.js";
import { type Decision, DecisionKind } from "./gen/skald/event/v1/event_pb.js";
import type { PositionSchema, RollMode } from "./gen/skald/event/v1/common_pb.js";
import type { Waiting } from "./gen/skald/encounter/v1/encounter_pb.js";

/** What sort of value a field takes. */
export type FieldType = "string" | "strings" | "number" | "boolean" | "path" | "creature" | "creatures" | "object" | "any";

/** One thing that a form asks. */
export interface Field {
  /** Name in the command. */
  readonly name: string;
  /** Where the command says it. */
  readonly in: "parameters" | "facts";
  readonly type: FieldType;
  readonly required: boolean;
  /** Values to choose from; none where they are free. */
  readonly choices: readonly JsonValue[];
  /** Words for people. */
  readonly text: string;
  /** Whose it is to say: "world" is the game master's, and a claim from anybody else. */
  readonly matter: string;
  /** Of a number: smallest and largest, where they are fixed. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Where an option takes effect. */
export interface Area {
  /** sphere, cylinder, cube, cone or line. */
  readonly shape: string;
  /** Radius, side or length, feet. */
  readonly feet: number;
  /** Width of a line, and of a cone at its end, feet. */
  readonly widthFeet: number;
  /** It lies about the first "target", or begins at the "actor" and points at the first target. */
  readonly origin: string;
}

/** An option as a form. */
export interface Form {
  readonly creature: string;
  readonly action: string;
  readonly item: string;
  readonly title: string;
  /** Heading under which it is listed. */
  readonly group: string;
  readonly legal: boolean;
  /** Why it may not be done; empty where it may. */
  readonly reason: string;
  /** Rule behind the reason, or the option. */
  readonly rule: string;
  /** What it costs, without what is free, in the order of the names. */
  readonly costs: readonly { readonly counter: string; readonly amount: number }[];
  readonly targets: { readonly choices: readonly string[]; readonly minimum: number; readonly maximum: number };
  readonly fields: readonly Field[];
  readonly facts: readonly Field[];
  /** Whom it would provoke. */
  readonly provokes: readonly string[];
  /** Where a move can end, as far as it is listed; whether there is more. */
  readonly squares: readonly Square[];
  readonly squaresCut: boolean;
  /** Where it takes effect; undefined where it has no area. */
  readonly area?: Area | undefined;
  /** It ends the turn, which is a command of its own. */
  readonly endsTurn: boolean;
  /** What may be chosen inside: one of them must be. Each asks for all, the fields outside included. */
  readonly choices: readonly Form[];
}

/** What somebody filled in. */
export interface FormValues {
  readonly targets?: readonly string[];
  /** By name of {@link Form.fields}. */
  readonly fields?: Readonly<Record<string, JsonValue | undefined>>;
  /** By name of {@link Form.facts}. */
  readonly facts?: Readonly<Record<string, JsonValue | undefined>>;
  /** Way through space; the last point is where it ends. */
  readonly path?: readonly MessageInitShape<typeof PositionSchema>[];
  readonly circumstances?: readonly MessageInitShape<typeof CircumstanceSchema>[];
  /** Faces rolled by hand, in rolling order. */
  readonly faces?: readonly number[];
  /** Answers ahead to what the action will meet. */
  readonly answers?: readonly MessageInitShape<typeof EarlyAnswerSchema>[];
  readonly rollMode?: RollMode;
}

/** A field of a form that is not filled as it must be. */
export interface Problem {
  /** "targets", "choice", "path", "answer", or "fields.NAME" and "facts.NAME". */
  readonly field: string;
  readonly text: string;
}

/** A form is not filled as it must be. */
export class FormError extends Error {
  override readonly name = "FormError";
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map((p) => `${p.field}: ${p.text}`).join("; "));
  }
}

/** The action that is chosen inside an option stands in this parameter. */
const chosen = "action";
const endTurn = "end-turn";

/** An option as a form. */
export function formOf(option: Option): Form {
  return { ...plain(option), choices: option.choices.map((c) => inside(option, c)) };
}

function plain(o: Option): Form {
  return {
    creature: o.creature, action: o.action, item: o.item, title: o.title, group: o.group,
    legal: o.legal, reason: o.reason, rule: o.rule,
    costs: Object.entries(o.costs).filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1)).map(([counter, amount]) => ({ counter, amount })),
    targets: { choices: o.targets, minimum: o.minimumTargets, maximum: o.maximumTargets },
    fields: o.parameters.map((p) => fieldOf(p, "parameters")),
    facts: o.facts.map((p) => fieldOf(p, "facts")),
    provokes: o.provokes, squares: o.squares, squaresCut: o.squaresCut, endsTurn: o.action === endTurn, choices: [],
    ...(o.area ? { area: { shape: o.area.shape, feet: o.area.feet, widthFeet: o.area.widthFeet, origin: o.area.origin } } : {}),
  };
}

/** An option as one of its choices has it: item, targets and fields of the choice beside its own. */
function inside(outer: Option, choice: Option): Form {
  const out = plain(outer), of = plain(choice);
  const named: Field[] = choice.action === outer.action ? [] : [{
    name: chosen, in: "parameters", type: "string", required: true, choices: [choice.action], text: choice.title, matter: "actor",
  }];
  const both = (mine: readonly Field[], others: readonly Field[]) => [...mine.filter((f) => !others.some((o) => o.name === f.name)), ...others];
  return {
    ...out, item: choice.item, title: choice.title || out.title, rule: choice.rule || out.rule, targets: of.targets,
    legal: out.legal && of.legal, reason: out.reason || of.reason,
    fields: [...named, ...both(out.fields.filter((f) => f.name !== chosen), of.fields)], facts: both(out.facts, of.facts),
    provokes: [...new Set([...out.provokes, ...of.provokes])],
    squares: of.squares.length > 0 ? of.squares : out.squares, squaresCut: of.squaresCut || out.squaresCut, ...(of.area ? { area: of.area } : {}),
  };
}

const types: readonly string[] = ["string", "strings", "number", "boolean", "path", "creature", "creatures", "object"];

/** A parameter or a fact as a field, also one that the vocabulary lists without an option. */
export function fieldOf(p: Parameter, where: Field["in"]): Field {
  const bounded = p.type === "number" && (p.minimum !== 0 || p.maximum !== 0);
  return {
    name: p.name, in: where, type: (types.includes(p.type) ? p.type : "any") as FieldType, required: p.required,
    choices: p.values.map((v) => toJson(ValueSchema, v)), text: p.text, matter: p.matter,
    ...(bounded ? { minimum: p.minimum, maximum: p.maximum } : {}),
  };
}

/** What is wrong with what was filled in, as far as the form can tell. */
export function problemsOf(form: Form, values: FormValues = {}): Problem[] {
  if (form.endsTurn) return [];
  if (form.choices.length > 0) return [{ field: "choice", text: "fill in one of the choices of the form" }];
  const out: Problem[] = [], { choices, minimum, maximum } = form.targets, targets = values.targets ?? [];
  const strange = targets.filter((t) => choices.length > 0 && !choices.includes(t));
  if (strange.length > 0) out.push({ field: "targets", text: `not among those that may be named: ${strange.join(", ")}` });
  if (targets.length < minimum) out.push({ field: "targets", text: `at least ${minimum}` });
  if (maximum > 0 && targets.length > maximum) out.push({ field: "targets", text: `at most ${maximum}` });
  for (const [group, fields, given] of [["fields", form.fields, values.fields], ["facts", form.facts, values.facts]] as const) {
    for (const field of fields) {
      const text = field.type === "path" ? wrongWay(field, given, values) : wrong(field, filled(field, given));
      if (text !== undefined) out.push({ field: `${group}.${field.name}`, text });
    }
    for (const name of Object.keys(given ?? {})) {
      if (given?.[name] !== undefined && !fields.some((f) => f.name === name)) out.push({ field: `${group}.${name}`, text: "the form does not ask this" });
    }
  }
  return out;
}

/** What is filled into a field. One that must be given and takes one value alone has it. */
function filled(field: Field, given: FormValues["fields"]): JsonValue | undefined {
  const own = given && Object.hasOwn(given, field.name) ? given[field.name] : undefined;
  if (own !== undefined) return own;
  return field.required && field.choices.length === 1 ? field.choices[0] : undefined;
}

/** A way has a place of its own in the command. */
function wrongWay(field: Field, given: FormValues["fields"], values: FormValues): string | undefined {
  if (given && Object.hasOwn(given, field.name) && given[field.name] !== undefined) return "a way is given as the path";
  return field.required && !values.path?.length ? "must be given" : undefined;
}

function wrong(field: Field, value: JsonValue | undefined): string | undefined {
  if (value === undefined) return field.required ? "must be given" : undefined;
  const text = wrongType(field.type, value);
  if (text !== undefined) return text;
  if (field.minimum !== undefined && typeof value === "number" && (value < field.minimum || value > field.maximum!)) return `from ${field.minimum} to ${field.maximum}`;
  const listed = (v: JsonValue) => field.choices.length === 0 || field.choices.some((c) => same(c, v));
  if (!(field.type === "strings" || field.type === "creatures" ? (value as JsonValue[]).every(listed) : listed(value))) {
    return `one of ${field.choices.map((c) => (typeof c === "string" ? c : JSON.stringify(c))).join(", ")}`;
  }
  return undefined;
}

/** Whether two values are alike, in whatever order their names stand. */
function same(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => same(v, b[i]!));
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((n) => Object.hasOwn(b, n) && same(a[n]!, b[n]!));
}

function wrongType(type: FieldType, value: JsonValue): string | undefined {
  switch (type) {
    case "string":
    case "creature":
      return typeof value === "string" ? undefined : "a word";
    case "strings":
    case "creatures":
      return Array.isArray(value) && value.every((v) => typeof v === "string") ? undefined : "a list of words";
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? undefined : "a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "yes or no";
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : "values by name";
  }
  return undefined;
}

/** A filled form as a command. Throws a {@link FormError} where it is not filled as it must be. */
export function commandOf(form: Form, values: FormValues = {}): Command {
  const problems = problemsOf(form, values);
  if (problems.length > 0) throw new FormError(problems);
  const rest = { faces: [...(values.faces ?? [])], answers: [...(values.answers ?? [])], ...(values.rollMode ? { rollMode: values.rollMode } : {}) };
  if (form.endsTurn) return create(CommandSchema, { ...rest, what: { case: "endTurn", value: { creature: form.creature } } });
  const parameters = said(form.fields, values.fields), facts = said(form.facts, values.facts);
  return create(CommandSchema, {
    ...rest,
    what: {
      case: "take",
      value: {
        creature: form.creature, action: form.action, item: form.item, targets: [...(values.targets ?? [])],
        path: [...(values.path ?? [])], circumstances: [...(values.circumstances ?? [])],
        ...(parameters ? { parameters } : {}), ...(facts ? { facts } : {}),
      },
    },
  });
}

function said(fields: readonly Field[], given: FormValues["fields"]): JsonObject | undefined {
  const out: [string, JsonValue][] = [];
  for (const field of fields) {
    if (field.type === "path") continue; // it has a place of its own in the command
    const value = filled(field, given);
    if (value !== undefined) out.push([field.name, value]);
  }
  return out.length > 0 ? Object.fromEntries(out) : undefined;
}

/** A decision as what people are asked. */
export interface Prompt {
  readonly decision: string;
  /** Name of the question, by which standing orders go. */
  readonly name: string;
  readonly creature: string;
  readonly gmOnly: boolean;
  readonly question: string;
  readonly cause: string;
  readonly rule: string;
  readonly kind: "option" | "number" | "dice";
  readonly options: readonly { readonly id: string; readonly text: string; readonly rule: string; readonly isDefault: boolean }[];
  readonly minimum: number;
  readonly maximum: number;
  /** Of dice: the expression, and how many faces it takes before anything explodes. */
  readonly expression: string;
  readonly faces: number;
  /** Of dice: the label of the roll, such as `attack/to-hit`. */
  readonly label: string;
  /** When the default is taken; undefined for never. */
  readonly deadline: Date | undefined;
  /** The answer taken when nobody decides, in words; empty where it waits for ever or nothing is told of it. */
  readonly otherwise: string;
}

/** A decision as a prompt; what GetNext says of it makes it whole. */
export function promptOf(decision: Decision, waiting?: Waiting): Prompt {
  const d = decision, of = d.options.find((o) => o.id === d.defaultOption);
  return {
    decision: d.id, name: d.name, creature: d.creature, gmOnly: d.gmOnly, question: d.question, cause: d.cause, rule: d.rule,
    kind: d.kind === DecisionKind.NUMBER ? "number" : d.kind === DecisionKind.DICE ? "dice" : "option",
    options: d.options.map((o) => ({ id: o.id, text: o.text, rule: o.rule, isDefault: o.id === d.defaultOption })),
    minimum: d.minimum, maximum: d.maximum, expression: d.expression, faces: d.faces, label: d.label,
    deadline: d.deadlineUnixMillis > 0n ? new Date(Number(d.deadlineUnixMillis)) : undefined,
    otherwise: waiting?.byDefault || waiting?.otherwise || (of ? of.text || of.id : ""),
  };
}

/**
 * The answer to a prompt as a command: an option's id, a number, or faces. `alike`
 * gives it to every open decision of the same name that allows it. Throws a
 * {@link FormError} for what the prompt does not take.
 */
export function answer(prompt: Prompt, given: string | number | readonly number[], alike = false): Command {
  const value = answerOf(prompt, given);
  if (typeof value === "string") throw new FormError([{ field: "answer", text: value }]);
  return create(CommandSchema, { what: { case: "answer", value: { decision: prompt.decision, answer: value, alike } } });
}

function answerOf(prompt: Prompt, given: string | number | readonly number[]): { option: string } | { number: number } | { faces: number[] } | string {
  switch (prompt.kind) {
    case "option":
      if (typeof given === "string" && prompt.options.some((o) => o.id === given)) return { option: given };
      return `one of ${prompt.options.map((o) => o.id).join(", ")}`;
    case "number":
      if (typeof given === "number" && Number.isInteger(given) && given >= prompt.minimum && given <= prompt.maximum) return { number: given };
      return `a number from ${prompt.minimum} to ${prompt.maximum}`;
    case "dice":
      if (Array.isArray(given) && given.length >= Math.max(1, prompt.faces) && given.every((f) => Number.isInteger(f) && f >= 0)) return { faces: [...(given as number[])] };
      return `${prompt.faces} faces of ${prompt.expression}`;
  }
}

/** A value as google.protobuf.Value has it, for those who fill in messages by hand. */
export function valueOf(json: JsonValue) {
  return fromJson(ValueSchema, json);
}
