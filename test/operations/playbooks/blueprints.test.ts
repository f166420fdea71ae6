import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkBlueprint } from '#core/catalog/blueprint-check.js';
import { blueprintApply } from '#operations/playbooks/apply.js';
import { blueprintList, blueprintValidate } from '#operations/playbooks/blueprints.js';
import { confine } from '#operations/runs/prompt-attempt.js';
import { manual } from '#operations/squad/proposals.js';
import { workflowRun } from '#operations/workflows/run.js';
import { workflowList } from '#operations/workflows/workflows.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';
import { TRIPS } from './sample.js';

const IDS = ['ai-agent-engineering', 'content-authoring', 'operations', 'pm-and-software-development'];
const MORE = ['product-management', 'software-development', 'support'];

verifies('blueprint.validate', 'the shipped ones are valid; of another everything wrong is said at once', async () => {
  const stage = new Stage();
  const { blueprints } = await stage.call(blueprintList);
  expect(blueprints.map((blueprint) => blueprint.id)).toEqual([...IDS, ...MORE].map((id) => `blueprint-${id}`));
  for (const { id } of blueprints)
    expect(await stage.call(blueprintValidate, { id })).toEqual({ valid: true, errors: [] });
  const [good] = blueprints;
  const known = {
    catalog: await stage.catalog.load(),
    workflows: new Set(['default']),
    policies: new Set(['peer']),
    profiles: new Set(['default']),
    reserved: new Set(['default']),
  };
  const base = {
    ...good,
    workflows: undefined,
    workflow: 'default',
    review_policy: 'peer',
    sandbox_profile: 'default',
  };
  const { workflows: _none, ...one } = base;
  expect(checkBlueprint(one, known)).toMatchObject({ valid: true, blueprint: { workflows: ['default'] } });
  const role = (id: string, charter = 'Who: us.') => ({ id, title: 'A title', charter });
  const wrong = {
    ...one,
    roster: ['scribe', 'astronaut', 'writer', 'pilot'],
    workflow: 'nothing',
    review_policy: 'none',
    sandbox_profile: 'open',
    bespoke_roles: [role('pilot', ' '), role('writer'), role('cook')],
  };
  const { valid, errors } = checkBlueprint(wrong, known);
  expect(valid).toBe(false);
  expect(errors).toHaveLength(8);
  for (const word of [
    'scribe',
    'astronaut',
    'nothing',
    '“none”',
    '“open”',
    'charter',
    'cook',
    'catalog has a “writer”',
  ])
    expect(errors.join('\n')).toContain(word);
  expect(checkBlueprint({ ...one, roster: [], run: 'rm' }, known).valid).toBe(false);
  expect(checkBlueprint({ ...one, roster: [] }, known).errors).toEqual(['roster: name one archetype at least']);
});

verifies('blueprint.apply', 'one write casts the team anew and takes over workflows and rules', async () => {
  const stage = new Stage();
  await stage.call(blueprintApply, { id: 'support' });
  const first = stage.files();
  expect(JSON.parse(first['.squad/config.json'] ?? '')).toMatchObject({
    version: 1,
    default_workflow: 'default',
    allowed_workflows: ['default', 'incident-response'],
    review_policy: 'peer',
    sandbox_profile: 'read-only',
  });
  expect(first['.squad/casting/history.events.jsonl']).toContain('"mode":"Manual","intent":"New"');
  // Over a team that exists it has to be said.
  await expect(stage.call(blueprintApply, { id: 'operations' })).rejects.toMatchObject({ code: 'requires_choice' });
  await expect(stage.call(blueprintApply, { id: 'operations', intent: 'augment' })).rejects.toMatchObject({
    code: 'intent_invalid',
  });
  expect(stage.files()).toEqual(first);
  const result = await stage.call(blueprintApply, { id: 'operations', intent: 'new' });
  expect(result).toMatchObject({ intent: 'new', default_workflow: 'incident-response' });
  expect(result.retired).toHaveLength(5);
});

verifies('blueprint.apply', 'the workflows it names are those that run; the first when none is named', async () => {
  const store = new GraphInMemory({ now: () => stage.now });
  const stage: Stage = Object.assign(new Stage(), { store });
  await expect(stage.call(workflowRun)).rejects.toMatchObject({ code: 'bad_input' });
  await stage.call(blueprintApply, { id: 'operations' });
  expect(await stage.call(workflowRun, { goal: 'Nothing works.' })).toMatchObject({ workflow: 'incident-response' });
  expect((await stage.call(workflowRun, { id: 'default' })).task_ids).toContain('default-plan');
  const refused = expect.objectContaining({ code: 'workflow_not_allowed', httpStatus: 409 });
  await expect(stage.call(workflowRun, { id: 'bug-fix' })).rejects.toThrow(refused);
  await expect(stage.call(workflowRun, { id: 'nothing' })).rejects.toMatchObject({ code: 'unknown_workflow' });
  // Looking is free, and a person has the last word.
  expect((await stage.call(workflowRun, { id: 'bug-fix', dry_run: true })).task_ids).toContain('bug-fix-fix');
  expect((await stage.call(workflowRun, { id: 'bug-fix', override: true })).run).toBe('bug-fix');
  const { workflows } = await stage.call(workflowList);
  expect(workflows.filter((row) => row.allowed).map((row) => [row.id, row.default])).toEqual([
    ['default', false],
    ['incident-response', true],
  ]);
});

test('a draft may be applied again, but takes the place of no other workflow of the project', async () => {
  const stage = new Stage();
  const errors = async (blueprint: unknown) => (await stage.call(blueprintValidate, { blueprint })).errors;
  await stage.call(blueprintApply, { blueprint: TRIPS });
  expect(await errors(TRIPS)).toEqual([]);
  expect(await errors({ ...TRIPS, draft: { ...TRIPS.draft, name: 'Plan another trip' } })).toEqual([
    expect.stringContaining('draft.id: the project has another workflow'),
  ]);
});

test('a blueprint that cannot be applied changes nothing, the waiting proposal neither', async () => {
  const stage = new Stage();
  const waiting = await stage.call(manual, { archetypes: ['writer'] });
  const before = stage.files();
  await expect(stage.call(blueprintApply, { id: 'support', universe: 'Nowhere' })).rejects.toMatchObject({
    code: 'universe_invalid',
  });
  expect(stage.files()).toEqual(before);
  expect((await (await stage.context().squad()).proposal())?.proposal_id).toBe(waiting.proposal_id);
});

test('the sandbox profile of a project takes away from what a client may do, and adds nothing', async () => {
  const stage = new Stage();
  const under = async (profile: string, mode: string) => {
    mkdirSync(path.join(stage.folder, '.squad'), { recursive: true });
    writeFileSync(path.join(stage.folder, '.squad/config.json'), JSON.stringify({ sandbox_profile: profile }));
    return (await confine(stage.context(), { mode })).mode;
  };
  expect((await confine(stage.context(), { mode: 'full' })).mode).toBe('full');
  expect(await under('default', 'full')).toBe('full');
  expect(await under('restricted', 'full')).toBe('light');
  expect(await under('read-only', 'full')).toBe('light');
  expect(await under('read-only', 'bare')).toBe('bare');
  await expect(under('none-such', 'full')).rejects.toMatchObject({ code: 'not_found' });
});
