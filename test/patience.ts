/** For `vi.waitFor`: what is certain to come is waited for on a busy machine too. */
export const PATIENCE = { timeout: 30_000 } as const;
