import type { ErrorCode } from '#kernel/error-codes.js';

/** Field of a request: its name in the input, or the address's own name for it and the name in the input. */
export type ResourceField<Field extends string = string> = Field | readonly [given: string, field: Field];

/** Part of the answer that an address sends. */
export type ResourceAnswer =
  /** Only these fields. One without a value takes its default, or else is refused as `not_found` with these words. */
  | {
      readonly pick: readonly string[];
      readonly defaults?: Readonly<Record<string, string | boolean>>;
      readonly missing?: string;
    }
  /** The value of this field, or its first entry; without one, refused as `not_found` with these words. */
  | { readonly part: string; readonly missing: string }
  | { readonly first: string }
  /** A list of one under this name, or of none if the operation is refused with this code. */
  | { readonly wrap: string; readonly none: ErrorCode }
  /** A shape of its own, with a function in `resource-answers.ts`. */
  | { readonly shape: 'organisation' };

/**
 * Address of an operation as a resource, as plain data. One operation may have several; several may share an address,
 * and then `when` says which one a body means.
 */
export interface ResourceAddress<Field extends string = string> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path segments; `:name` matches any one segment. */
  readonly path: string;
  readonly summary: string;
  /** Default 200; 204 sends no body. */
  readonly status?: 200 | 201 | 204;
  /** Input fields with a fixed value. */
  readonly set?: Readonly<Partial<Record<Field, string | boolean>>>;
  /** Parameters of the path that become input fields; `project` is none. */
  readonly params?: readonly ResourceField<Field>[];
  /** Parameters of the path that are whole numbers; other text names nothing. */
  readonly numbers?: readonly string[];
  /** Fields of the query (GET) or body that become input fields; any other is refused. */
  readonly fields?: readonly ResourceField<Field>[];
  /** The operation is meant if the body has this field, or this value in it, which then is no field of the input. */
  readonly when?: { readonly field: string; readonly value?: string };
  /** The only body that is accepted, and the words of the refusal of any other. */
  readonly only?: {
    readonly field: string;
    readonly value: string;
    readonly what: string;
    readonly hint: string;
  };
  /** Default: the whole answer of the operation. */
  readonly answer?: ResourceAnswer;
}
