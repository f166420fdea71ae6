import { type KnownRequest, refuseReused } from '#kernel/request.js';

/** Answers to requests as long as this process lives; each is read back from its JSON, as those on disk are. */
export class MemoryAnswers {
  private readonly answered = new Map<string, { readonly input: string; readonly json: string | undefined }>();

  async once<Result>({ requestId, input }: KnownRequest, change: () => Promise<Result>): Promise<Result> {
    const before = this.answered.get(requestId);
    if (before) refuseReused(requestId, before.input, input);
    const kept = before ?? { input, json: JSON.stringify(await change()) };
    this.answered.set(requestId, kept);
    return (kept.json === undefined ? undefined : JSON.parse(kept.json)) as Result;
  }
}
