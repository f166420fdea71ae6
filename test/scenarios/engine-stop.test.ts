import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { runAll } from '#kernel/steps.js';
import { Engine } from '#main/engine.js';
import { projectAt } from '#main/project.js';
import { verifies } from '../verifies.js';
import { project } from './program.js';

test('every step runs, also after one failed, and the first failure is told', async () => {
  const ran: number[] = [];
  const step = (number: number, error?: string) => async () => {
    ran.push(number);
    if (error !== undefined) throw new Error(error);
  };
  await expect(runAll([step(1), step(2, 'first'), step(3, 'second'), step(4)])).rejects.toThrow('first');
  expect(ran).toEqual([1, 2, 3, 4]);
  await expect(runAll([])).resolves.toBeUndefined();
});

verifies('service.stop-whole', 'a service that fails to stop still gives up the graph and its socket', async () => {
  const folder = await project();
  const { layout } = projectAt(folder);
  const started = () => Engine.start({ project: projectAt(folder) });
  const engine = await started();
  mkdirSync(layout.token); // where a file is to be removed
  await expect(engine.stop({ killRuns: false })).rejects.toThrow();
  expect(existsSync(layout.socket)).toBe(false);
  expect(existsSync(layout.state)).toBe(false);
  rmdirSync(layout.token);
  const next = await started();
  onTestFinished(() => next.stop({ killRuns: false }));
});
