export interface ModelQuestion {
  readonly prompt: string;
  readonly timeMs: number;
  /** What it is asked for, for the record. */
  readonly purpose?: string;
  /** The task it is about, whose budget it counts to. */
  readonly task?: string;
}

export interface ModelAnswer {
  /** As it came: foreign text. */
  readonly text: string;
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly costUsd?: number;
    /** The part of `costUsd` that is tokens times a price of our table. */
    readonly estimatedUsd?: number;
  };
  /** The record of the call, where one is kept. */
  readonly runId?: string;
}

/**
 * A model that answers in text and does nothing else. Errors: `no_model` where there is none to ask, `bad_model_answer`
 * when it failed, took too long or said nothing; its details hold `run_id` where a record is kept.
 */
export interface Model {
  /** Who answers, for the record: `anthropic claude-haiku-4-5`. */
  readonly name?: string;
  /** Refuses with `no_model` before anything has been prepared for it. */
  ready(): Promise<void>;
  complete(question: ModelQuestion): Promise<ModelAnswer>;
}
