import module from 'node:module';

/** Node 22 and later can keep compiled code between starts; Node 20 cannot, and does without. */
export function enableCompileCacheIfThere(): void {
  const enable = (module as { enableCompileCache?: () => unknown }).enableCompileCache;
  enable?.();
}
