/**
 * Runs `work` with a signal that aborts on an interrupt, or when the output has no reader left. Errors after that are
 * its consequence and are dropped.
 */
export async function untilInterrupted(
  out: NodeJS.WriteStream,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const ask = () => stop.abort();
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  out.once('close', ask);
  try {
    await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', ask);
    process.off('SIGTERM', ask);
    out.off('close', ask);
  }
}
