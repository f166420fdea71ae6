import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

/** Bundles a TypeScript program of the tests into one runnable file; returns its path. */
export async function bundle(program: string, folder: string): Promise<string> {
  const build = await rolldown({
    input: program,
    platform: 'node',
    external: ['libsql'], // loads its native part from its own package
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
  });
  await build.write({ dir: folder, format: 'esm', entryFileNames: 'program.mjs' });
  await build.close();
  symlinkSync(path.resolve(import.meta.dirname, '../../../node_modules'), path.join(folder, 'node_modules'));
  return path.join(folder, 'program.mjs');
}

/** Runs a bundled program. Returns whether a signal ended it; throws if it fails. */
export async function run(program: string, args: readonly string[]): Promise<{ output: string; killed: boolean }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
    return { output: stdout, killed: false };
  } catch (error) {
    if (error instanceof Error && 'signal' in error && error.signal === 'SIGKILL') return { output: '', killed: true };
    throw error;
  }
}
