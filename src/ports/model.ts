export interface ModelQuestion {
  readonly prompt: string;
  readonly timeMs: number;
  /** Purpose, for the record of the call. */
  readonly purpose?: string;
  /** Task whose budget the call is charged to. */
  readonly task?: string;
}

export interface ModelAnswer {
  /** Unmodified answer: untrusted text. */
  readonly text: string;
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly costUsd?: number;
    /** The part of `costUsd` that was computed from tokens and Troupe's price table. */
    readonly estimatedUsd?: number;
  };
  /** Id of the record of the call, if one is kept. */
  readonly runId?: string;
}

/**
 * A language model without tools that answers in text. Errors: `no_model` if none is available; `bad_model_answer` if
 * it failed, timed out or returned nothing, with the id of its record in the details if one is kept.
 */
export interface Model {
  /** Provider and model, for the record, for example `anthropic claude-haiku-4-5`. */
  readonly name?: string;
  /** Checks that a model is available before its question is prepared. Errors: `no_model`. */
  ready(): Promise<void>;
  complete(question: ModelQuestion): Promise<ModelAnswer>;
}
