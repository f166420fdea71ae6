import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { composeProject } from '#main/compose.js';
import { mainAsOriginal } from '#main/original.js';
import { hasGraph, projectAt } from '#main/project.js';
import { callOperation } from '#operations/call.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';
import { repository } from '../repository.js';

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export const AT = '2026-03-01T10:00:00Z';

/** Tasks of a graph of the original, with the tasks about one of them. */
const GRAPH = [
  {
    id: 'build',
    title: 'Build',
    status: 'done',
    started_at: AT,
    completed_at: '2026-03-01T11:00:05Z',
    artifacts: ['out/app'],
    created_at: AT,
    priority: 50,
    tags: ['ci'],
  },
  { id: 'check', title: 'Check', status: 'open', after: ['build'], inputs: ['out/app', 'spec.md'], created_at: AT },
  {
    id: 'ship',
    title: 'Ship',
    status: 'open',
    after: ['check'],
    log: [{ timestamp: AT, actor: 'eve', message: 'hm' }],
  },
  { id: 'later', title: 'Later', status: 'open', ready_after: '2999-01-01T00:00:00Z' },
  { id: '.evaluate-ship', title: 'Evaluate ship', status: 'open', after: ['.flip-ship'] },
  { id: '.flip-ship', title: 'Flip ship', status: 'open', after: ['ship'] },
  { id: '.assign-other', title: 'Assign other', status: 'open' },
];

/** A repository with a graph of the original, and the command line on it under the original's name. */
export function original(tasks: readonly object[] = GRAPH) {
  const folder = repository({ 'README.md': '# Sample\n' });
  if (tasks.length > 0) {
    mkdirSync(path.join(folder, '.wg'));
    const lines = tasks.map((task) => `${JSON.stringify({ kind: 'task', ...task })}\n`);
    writeFileSync(path.join(folder, '.wg/graph.jsonl'), lines.join(''));
  }
  const [out, err] = [new Sink(), new Sink()];
  let status: object | undefined;
  const findProject = (from = folder) => [from, folder].find((place) => hasGraph(projectAt(place)));
  const host = {
    ...{ environment: {}, folder, input: { isTTY: false }, out, err },
    call: async (spec: OperationSpec, input: unknown, at?: string) => {
      if (spec.name === 'service.status' && status !== undefined) return status;
      const project = composeProject(projectAt(findProject(at) ?? folder));
      try {
        return await callOperation(spec, project.context({ kind: 'person', name: 'tess' }), input);
      } finally {
        await project.close();
      }
    },
    caller: async () => ({ kind: 'person', name: 'tess' }),
    serviceAnswers: async () => false,
    ask: async () => undefined,
    findProject,
    reading: () => undefined,
  } as unknown as CommandHost;
  const said = async (run: () => Promise<number>) => {
    [out.text, err.text] = ['', ''];
    return { code: await run(), out: out.text, err: err.text };
  };
  const wg = (...words: string[]) => said(() => mainAsOriginal(words, host));
  return {
    folder,
    wg,
    troupe: (...words: string[]) => said(() => runCommandLine(words, host)),
    json: async (...words: string[]) => {
      const told = await wg(...words, '--json');
      expect(told, told.err).toMatchObject({ code: 0, err: '' });
      return JSON.parse(told.out);
    },
    serve: (answer: object) => {
      status = answer;
    },
  };
}
