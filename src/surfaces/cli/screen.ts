import type { Colors } from 'picocolors/types.js';
import type { OperationName, Output } from '#operations/map.js';
import type { Stage } from './stage.js';

/** Where a renderer prints. Colour functions do nothing when colour is off. */
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

/** What a renderer may ask when the answer alone does not say what comes next. */
export interface Around {
  /** Does a service, or a run in the foreground, hold the project and answer? Asked only when it is called. */
  serviceAnswers(): Promise<boolean>;
  /** The terminal itself, for what moves on it; undefined unless somebody sits at both ends. */
  stage?(): Stage | undefined;
}

type Either<Form, Fields extends PropertyKey> = Form extends object
  ? Form & { readonly [Field in Exclude<Fields, keyof Form>]?: undefined }
  : Form;
type FieldsOf<Form> = Form extends readonly unknown[] ? never : Form extends object ? keyof Form : never;

/** Of a value of several forms: a field that only some have may be missing. */
export type EitherOf<Form> = Either<Form, FieldsOf<Form>>;

/** What operations answer, as it is printed. */
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

/** Any of both. A method’s type: whoever has an operation by its name alone hands over what that answered. */
export type Printer<Answer> = Printing<Answer>['print'];

/** What prints answers for people, by the operations that give them. */
export type Renderers = { readonly [Name in OperationName]: Printer<AnswerOf<Name>> };

/** A file whose `renderers` has one for this operation. */
type Holding<Name extends OperationName> = () => Promise<{ readonly renderers: Pick<Renderers, Name> }>;
/** Which file prints the answer of an operation for people, loaded when it is needed. `--json` needs none of them. */
export type RendererTable = { readonly [Name in OperationName]?: Holding<Name> };
