import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { playbookStatus, playbookStop } from '#operations/playbooks/runs.js';
import { apply } from '#operations/workflows/apply-function.js';
import { extract } from '#operations/workflows/extract-function.js';
import { list, show } from '#operations/workflows/functions.js';
import { workflowRun } from '#operations/workflows/run.js';
import { workflowTrust } from '#operations/workflows/trust.js';
import { workflowCheck, workflowList, workflowShow } from '#operations/workflows/workflows.js';
import { write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { Works } from './works.js';

const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);

const FEATURE = ['feature_name=cart'];

const FILES = {
  'nightly.yaml': `id: nightly
name: Nightly build
description: Builds all
trigger: {type: schedule, every: daily}
nodes:
  - {id: build, type: run, run: 'make "$IN_WHAT"'}
  - {id: read, type: prompt, label: Read it}
edges: [{from: build, to: read}]
inputs: [{name: what, default: all}, {name: why, description: The reason, default: ''}]
`,
  'asks.yaml':
    'id: asks\ntrigger: {type: schedule, every: daily}\nnodes: [{id: look, type: prompt}]\nedges: []\ninputs: [{name: where}]\n',
  'event.yaml':
    'id: event\ntrigger: {type: event, event: task-added-to-ready}\nnodes: [{id: look, type: prompt}]\nedges: []\ninputs: [{name: task}]\n',
  'plain.yaml': 'id: plain\nprefix: p\ntrigger: {type: manual}\nnodes: [{id: look, type: prompt}]\nedges: []\n',
  'broken.yaml': 'id: broken\nnodes: 7\n',
};

verifies('test.bites', 'what every operation on workflows says of a project is as it was found good', async () => {
  const stage = new Works();
  write(
    stage.folder,
    Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`.squad/workflows/${name}`, text])),
  );
  await stage.calls.say(workflowList, {});
  for (const id of ['nightly', 'asks', 'event', 'plain', 'broken', 'bug-fix', 'plan'])
    await stage.calls.say(workflowShow, { id });
  for (const id of ['nightly', 'asks', 'event', 'plain', 'broken', 'bug-fix', 'plan'])
    await stage.calls.say(workflowCheck, { id });
  for (const input of [
    {},
    { id: 'nightly', dry_run: true },
    { id: 'asks' },
    { id: 'asks', inputs: ['where=here', 'x=1'] },
    { id: 'asks', inputs: ['where=here'], goal: 'Find it' },
  ])
    await stage.calls.say(workflowRun, input);
  stage.now += 60_000;
  for (const input of [{ id: 'nightly' }, { id: 'plain' }, { id: 'plain' }]) await stage.calls.say(workflowRun, input);
  await stage.calls.say(workflowTrust, { id: 'nightly', show: true });
  await stage.calls.say(workflowTrust, { id: 'nightly', show: true, withdraw: true });
  await stage.calls.say(playbookStatus, {});
  await stage.calls.say(workflowTrust, { id: 'nightly' });
  await stage.calls.say(workflowTrust, { id: 'nightly' });
  await stage.calls.say(workflowTrust, { id: 'bug-fix' });
  await stage.set('nightly-build', { status: 'done' });
  await stage.calls.say(playbookStatus, { run: 'nightly' });
  await stage.calls.say(playbookStatus, { run: 'nobody' });
  await stage.calls.say(playbookStop, { run: 'nightly' });
  await stage.calls.say(playbookStatus, { run: 'nightly' });
  await stage.calls.say(playbookStop, { run: 'nightly' });
  await stage.calls.say(workflowTrust, { id: 'nightly', withdraw: true });
  await stage.calls.say(workflowTrust, { id: 'nightly', withdraw: true });
  write(stage.folder, {
    '.squad/config.json': '{"version":1,"allowed_workflows":["plain"],"default_workflow":"plain"}',
  });
  await stage.calls.say(workflowList, {});
  for (const input of [
    {},
    { id: 'event' },
    { id: 'event', override: true, inputs: ['task=x'] },
    { id: 'event', dry_run: true, inputs: ['task=x'] },
  ])
    await stage.calls.say(workflowRun, input);
  stage.caller = { kind: 'run', name: 'agent-1', taskId: 'p-look', fence: 1 } as never;
  await stage.calls.say(workflowTrust, { id: 'nightly' });
  await stage.calls.tasks();
  await expect(stage.text).toMatchFileSnapshot(golden('workflows'));
});

verifies('test.bites', 'what every operation on functions says of a project is as it was found good', async () => {
  const stage = new Works();
  mkdirSync(path.join(stage.folder, '.workgraph'));
  const done = { status: 'done', completed_at: '2026-07-01T09:00:00.000Z' };
  await stage.put('write', {
    ...done,
    title: 'Write the page for Ann',
    skills: ['html'],
    exec: 'make page',
    tags: ['web'],
  });
  await stage.put('review', {
    ...done,
    title: 'Review the page',
    after: ['write'],
    after_success: ['write'],
    estimate: { hours: 2 },
  });
  await stage.put('open', {});
  await stage.put('evaluate-write', { ...done, after: ['write'], tags: ['evaluation'] });
  for (const input of [
    { tasks: ['write', 'review'], name: 'page' },
    { tasks: ['write', 'review'], name: 'page' },
    { tasks: ['write', 'review'], name: 'page', force: true },
    { tasks: ['write'], name: 'whole', subgraph: true, include_evaluations: true },
    { tasks: ['review'], recursive: true, output: 'functions/own.yml' },
    { tasks: ['review'], output: 'functions/own.txt' },
    { tasks: ['review'], output: '.git/own.yaml' },
    { tasks: ['review'], output: '../own.yaml' },
    { tasks: ['open'], name: 'not-yet' },
    { tasks: ['nobody'] },
    { tasks: ['write'], generalize: true },
  ])
    await stage.calls.say(extract, input);
  stage.calls.lines.push(
    ...readFileSync(path.join(stage.folder, '.workgraph/functions/page.yaml'), 'utf8').split('\n'),
  );
  writeFileSync(path.join(stage.folder, '.workgraph/functions/broken.yaml'), 'kind: trace-function\nid: other\n');
  await stage.calls.say(list, {});
  await stage.calls.say(list, { verbose: true });
  for (const id of ['page', 'broken', 'nobody']) await stage.calls.say(show, { id });
  write(stage.folder, { 'values.yaml': 'feature_name: login\n', 'list.yaml': '- a\n' });
  for (const input of [
    {},
    { id: 'page', dry_run: true, prefix: 'shop', input: FEATURE },
    { id: 'page', prefix: 'shop', after: ['open'], input: FEATURE },
    { id: 'page', prefix: 'shop', input: FEATURE },
    { id: 'page', input: ['x=1', 'x=2', '=3'] },
    { id: 'page', input_file: 'values.yaml' },
    { id: 'page', input_file: 'list.yaml' },
    { from: 'functions/own.yml', dry_run: true, prefix: 'held', input: ['feature_name=till'] },
    { from: 'functions/own.yml', prefix: 'held', input: ['feature_name=till'] },
    { from: 'functions/own.yml', id: 'other' },
    { from: '.workgraph/functions/page.yaml', prefix: 'foreign', input: FEATURE },
    { from: '.workgraph/functions/page.yaml', prefix: 'trusted', trust: true, input: FEATURE },
    { from: 'somebody:page' },
  ])
    await stage.calls.say(apply, input);
  stage.caller = { kind: 'run', name: 'agent-1', taskId: 'open', fence: 1 } as never;
  await stage.calls.say(apply, { id: 'page', trust: true });
  await stage.calls.say(extract, { tasks: ['write'], name: 'page', force: true });
  await stage.calls.tasks();
  await expect(stage.text).toMatchFileSnapshot(golden('functions'));
});
