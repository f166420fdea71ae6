import type { Colors } from 'picocolors/types.js';
import type { OperationName, Output } from '#operations/map.js';
import type { Stage } from './stage.js';

/** Output of a renderer. Colour functions return their text unchanged if colour is off. */
export interface Screen {
  /** Characters a line holds; very large when not a terminal, so that nothing is cut for a pipe. */
  readonly width: number;
  readonly colour: Colors;
  /** False for terminals that lack the glyphs (`TERM=dumb`, `LANG=C`). */
  readonly unicode: boolean;
  /** Set where a person looks: there even text that is meant for other programs must not act. */
  readonly terminal?: boolean;
  /** One line of the result, on stdout. */
  line(text?: string): void;
  /** One line beside the result, on stderr. */
  aside(text: string): void;
}

/** Facts a renderer may query if the answer alone does not determine the next step. */
export interface Around {
  /** Does a service, or a run in the foreground, hold the project and answer? Asked only when it is called. */
  serviceAnswers(): Promise<boolean>;
  /** The terminal itself, for animated output; undefined unless both ends are a terminal. */
  stage?(): Stage | undefined;
}

type Either<Form, Fields extends PropertyKey> = Form extends object
  ? Form & { readonly [Field in Exclude<Fields, keyof Form>]?: undefined }
  : Form;
type FieldsOf<Form> = Form extends readonly unknown[] ? never : Form extends object ? keyof Form : never;

/** All fields of a value of several forms; fields that only some forms have are optional. */
export type EitherOf<Form> = Either<Form, FieldsOf<Form>>;

/** Answer of operations, as printed. */
export type AnswerOf<Name extends OperationName> = EitherOf<Output<Name>>;

/** Prints what an operation answers for people, and what they can do next where they are. */
export type AwareRenderer<Name extends OperationName> = (
  answer: AnswerOf<Name>,
  screen: Screen,
  around: Around,
) => void | Promise<void>;

/** Prints what an operation answers for people. */
export type Renderer<Name extends OperationName> = (answer: AnswerOf<Name>, screen: Screen) => void;

interface Printing<Answer> {
  print(answer: Answer, screen: Screen, around: Around): void | Promise<void>;
}

/** Printer of one or both kinds. A method type, so that a caller that has an operation by name may pass its answer. */
export type Printer<Answer> = Printing<Answer>['print'];

/** Printers by operation. */
export type Renderers = { readonly [Name in OperationName]: Printer<AnswerOf<Name>> };

/** A file whose `renderers` has one for this operation. */
type Holding<Name extends OperationName> = () => Promise<{ readonly renderers: Pick<Renderers, Name> }>;
/** Files with the printers, by operation, loaded on demand. `--json` needs none of them. */
export type RendererTable = { readonly [Name in OperationName]?: Holding<Name> };
