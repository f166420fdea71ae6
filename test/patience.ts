/** Timeout of `vi.waitFor` and `expect.poll`, which else wait for one second, for events that are certain to come, but late on a busy machine. */
export const PATIENCE = { timeout: 30_000 } as const;
