import type { Colors } from 'picocolors/types.js';
import type { OperationName, Output } from '#operations/map.js';
import type { Stage } from './stage.js';

/** Output of a renderer. Colour functions return their text unchanged if colour is off. */
export interface Screen {
  /** Columns of a line; very large if stdout is not a terminal, because piped output is never truncated. */
  readonly width: number;
  readonly colour: Colors;
  /** False for terminals that lack the glyphs (`TERM=dumb`, `LANG=C`). */
  readonly unicode: boolean;
  /** Whether stdout is a terminal: control characters are then escaped even in text for other programs. */
  readonly terminal?: boolean;
  /** One line of the result, on stdout. */
  line(text?: string): void;
  /** One line beside the result, on stderr. */
  aside(text: string): void;
}

/** Facts a renderer may query if the answer alone does not determine the next step. */
export interface Around {
  /** Whether a service or a foreground run holds the project and answers; checked on each call. */
  serviceAnswers(): Promise<boolean>;
  /** Returns the terminal for animated output; undefined unless stdin and stdout are both terminals. */
  stage?(): Stage | undefined;
}

type Either<Form, Fields extends PropertyKey> = Form extends object
  ? Form & { readonly [Field in Exclude<Fields, keyof Form>]?: undefined }
  : Form;
type FieldsOf<Form> = Form extends readonly unknown[] ? never : Form extends object ? keyof Form : never;

/** All fields of a value of several forms; fields that only some forms have are optional. */
export type EitherOf<Form> = Either<Form, FieldsOf<Form>>;

/** Answer of an operation, with the fields of all its forms. */
export type AnswerOf<Name extends OperationName> = EitherOf<Output<Name>>;

interface Printing<Answer> {
  print(answer: Answer, screen: Screen, around: Around): void | Promise<void>;
}

/**
 * Printer of one or both kinds. A method type, because its parameters are bivariant: a caller that knows an operation
 * only by name can pass its answer.
 */
export type Printer<Answer> = Printing<Answer>['print'];

/** Printers by operation. */
export type Renderers = { readonly [Name in OperationName]: Printer<AnswerOf<Name>> };

type SharedPrinter<Answer, More extends readonly unknown[]> = (
  answer: Answer,
  screen: Screen,
  ...more: More
) => void | Promise<void>;

/** The same printer for several operations; `More` is empty, or what it may query beside the answer. */
export function sharedBy<Name extends OperationName, More extends readonly unknown[] = []>(
  names: readonly Name[],
  print: SharedPrinter<AnswerOf<Name>, More>,
): { readonly [Each in Name]: SharedPrinter<AnswerOf<Each>, More> } {
  const pairs = names.map((name) => [name, print]);
  return Object.fromEntries(pairs);
}
