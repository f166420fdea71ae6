/** How the coordinator names what it starts; a person's claim is held under a name. */
const RUN_NAME = /^agent-\d{1,9}$/;

/** A claimed task as it is said: `running` only where a service sees to its run. A person's claim is no run. */
export interface AtWork {
  readonly word: string;
  /** Who holds it, and that nobody watches it. */
  readonly note: string;
}

/** `holder` is who claimed it; `watched` says whether a service, or a run in the foreground, answers. */
export function atWork(holder: string | undefined, watched: boolean): AtWork {
  if (holder === undefined) return { word: 'claimed', note: '' };
  if (!RUN_NAME.test(holder)) return { word: 'claimed', note: `by ${holder}` };
  return watched ? { word: 'running', note: '' } : { word: 'claimed', note: `by ${holder}; no service watches it` };
}
