import { expect } from 'vitest';
import { specNamed } from '#operations/named.js';
import { changesOf, draftOf, fieldsOf, inputOf, PARTS } from '../../web/app/drawer/task-fields.js';
import { verifies } from '../verifies.js';

const all = PARTS.flatMap((part) => fieldsOf(part, true));
const flags = (name: 'task.add' | 'task.edit') =>
  new Map((specNamed(name).options ?? []).map((one) => [one.field, one]));

verifies(
  'web.tasks.form',
  'the form of a new task has every field of the command, with its flag and its values',
  () => {
    const options = flags('task.add');
    expect(all.map(([field]) => field).sort()).toEqual(['title', ...options.keys()].sort());
    for (const [field, { flag, kind }] of all) {
      if (field === 'title') continue;
      const option = options.get(field);
      expect(flag, field).toBe(option?.flag);
      const type =
        { line: 'text', text: 'text', list: 'list', number: 'number', check: 'switch' }[String(kind)] ?? 'choice';
      expect([field, type === 'choice' ? option?.values : option?.type]).toEqual([
        field,
        type === 'choice' ? kind : type,
      ]);
    }
  },
);

verifies(
  'web.tasks.form',
  'an edit sends what has changed: lists by what was added and removed, empty fields cleared',
  () => {
    const before = draftOf({
      ...{ title: 'Write', description: 'All of it', tags: ['core', 'old'], after: ['plan'], after_success: ['plan'] },
      ...{ require_commit: true, estimate: { hours: 2 }, cycle_config: { max_iterations: 3 } },
    });
    expect(before).toMatchObject({ hours: '2', max_iterations: '3', require_commit: true });
    const changes = changesOf(
      before,
      { ...before, description: '', tags: ['core', 'new'], hours: '3', require_commit: false },
      false,
    );
    expect(inputOf(changes)).toEqual({
      ...{ clear: ['description'], add_tags: ['new'], remove_tags: ['old'], hours: 3, require_commit: false },
    });
    const edits = flags('task.edit');
    for (const { flag, field } of changes) expect([field, edits.get(field)?.flag]).toEqual([field, flag]);
    const success = changesOf(before, { ...before, after_success: ['other'] }, false);
    expect(inputOf(success)).toEqual({ add_after_success: ['other'], remove_after: ['plan'] });
    expect(success.map(({ flag }) => flag)).toEqual(['add-after-success', 'remove-after']);
    expect(inputOf(changesOf({}, { title: ' Build ', tags: ['a', 'b'], paused: true }, true))).toEqual({
      ...{ title: 'Build', tags: ['a', 'b'], paused: true },
    });
  },
);
