/** What a run printed, what its client said it did, and what it was told: the bytes as they lie there, secrets too. */
export interface RunBytes {
  /** At most so many bytes from a place on; none where there are no more. */
  read(run: string, of: 'output' | 'events' | 'prompt', from: number, most: number): Promise<Uint8Array>;
}
