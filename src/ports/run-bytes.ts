/** Raw bytes of a run's output, of its client's events and of its prompt, including secrets. */
export interface RunBytes {
  /** At most `most` bytes from position `from` on; empty at the end. */
  read(run: string, of: 'output' | 'events' | 'prompt', from: number, most: number): Promise<Uint8Array>;
}
