import { describe, expect, onTestFinished, test } from 'vitest';
import { labelOf, newArtifact } from '#core/teams/artifacts.js';
import { addMember, createTeam, EMPTY_TEAM_PLAN, endTeam, removeMember, renameTeam } from '#core/teams/changes.js';
import { TroupeError } from '#kernel/errors.js';
import { withoutQueries } from '#kernel/query.js';
import type { TeamStore } from '#ports/team-store.js';
import { verifies } from '../verifies.js';

const HOSTILE = `x'); DROP TABLE teams; -- "q" ? %s \u{1f600}`;

/** Contract of every adapter of the teams. `make` creates a fresh one, `again` opens a second one on the same place. */
export function teamStoreContract(name: string, make: () => { store: TeamStore; again?: () => TeamStore }): void {
  const fresh = () => {
    const { store, again } = make();
    onTestFinished(() => store.close());
    let made = 0;
    const call = () => ({ by: 'ann', at: 1_000 + made });
    const create = (title: string, more: { mesh?: boolean; description?: string } = {}) => {
      made++;
      const wish = { id: `t-${made}`, leaderId: `l-${made}`, name: title, leader: 'Ripley', reserved: 'project' };
      const { mesh = false, description = '' } = more;
      return store.change((view) => createTeam(view, { ...wish, mesh, description }, call()));
    };
    const add = (team: string, member: string, through: TeamStore = store) => {
      made++;
      const wish = { id: `m-${made}`, name: member, position: 'member' as const, agent: null, person: null };
      return through.change((view) => addMember(view, team, wish, call()));
    };
    const other = () => {
      const second = (again ?? (() => store))();
      onTestFinished(() => second.close());
      return second;
    };
    return { store, create, add, call, other };
  };
  const kinds = async (store: TeamStore, team: string, after?: number) => {
    const events = await store.events(team, { ...(after === undefined ? {} : { after }), limit: 50 });
    return events.map(({ kind }) => kind);
  };

  describe(`the contract of teams: ${name}`, () => {
    test('where nothing was kept there is nothing to see', async () => {
      const { store } = fresh();
      expect(await store.getTeam('t-1')).toBeUndefined();
      expect([await store.labels(), await store.listTeams(5), await store.events('t-1', { limit: 5 })]).toEqual([
        ...[[], [], []],
      ]);
    });

    verifies('team.db.params', `${name}: hostile names and texts of a team come back byte for byte`, async () => {
      const { create, add, other } = fresh();
      await create(HOSTILE, { description: `${HOSTILE}\u202e\u0001`, mesh: true });
      await add(HOSTILE, HOSTILE);
      const team = await other().getTeam('t-1');
      expect(team).toMatchObject({ name: HOSTILE, description: `${HOSTILE}\u202e\u0001`, mesh: true, cast: false });
      expect(team?.members.map((member) => [member.name, member.position, member.joinedAt])).toEqual([
        ['Ripley', 'leader', 1_001],
        [HOSTILE, 'member', 1_002],
      ]);
      expect(await other().getTeam(HOSTILE)).toBeUndefined();
    });

    test('lists those at work first, then the latest, as many as are asked for', async () => {
      const { store, create, add, call } = fresh();
      for (const title of ['one', 'two', 'three']) await create(title);
      await add('two', 'Hicks');
      await store.change((view) => endTeam(view, 'three', { status: 'disbanded', hasGraph: false }, call()));
      const rows = (await store.listTeams(5)).map((team) => [team.name, team.status, team.leader, team.size]);
      expect(rows).toEqual([
        ['two', 'active', 'Ripley', 2],
        ['one', 'active', 'Ripley', 1],
        ['three', 'disbanded', null, 0],
      ]);
      expect(await store.listTeams(1)).toHaveLength(1);
      expect(new Set((await store.labels()).map((label) => label.name))).toEqual(new Set(['one', 'two', 'three']));
    });

    verifies(
      'team.db.no-poison',
      `${name}: a decision that throws changes nothing, and what comes next works`,
      async () => {
        const { store, create, add } = fresh();
        await create('crew');
        const broken = store.change(() => {
          throw new TroupeError('bad_input');
        });
        await expect(broken).rejects.toMatchObject({ code: 'bad_input' });
        await expect(create('crew')).rejects.toMatchObject({ code: 'name_taken' });
        await expect(add('nobody', 'Hicks')).rejects.toMatchObject({ code: 'not_found' });
        expect(await kinds(store, 't-1')).toEqual(['team-created', 'member-joined']);
        expect(await add('crew', 'Hicks')).toMatchObject({ changed: true });
      },
    );

    verifies(
      'team.life.check',
      `${name}: what was decided meanwhile counts, not what somebody saw before`,
      async () => {
        const { store, create, add, call, other } = fresh();
        await create('crew');
        const [second, seen] = [other(), await store.getTeam('t-1')];
        expect(seen?.status).toBe('active');
        await second.change((view) => endTeam(view, 'crew', { status: 'disbanded', hasGraph: false }, call()));
        await expect(add('crew', 'Vasquez')).rejects.toMatchObject({ code: 'team_disbanded' });
        expect((await store.getTeam('t-1'))?.members).toHaveLength(1);
        await create('crew');
        await second.change((view) => endTeam(view, 't-3', { status: 'archived', hasGraph: false }, call()));
        const writes = [
          () => add('t-3', 'Vasquez'),
          () => store.change((view) => renameTeam(view, 't-3', { name: 'x', reserved: 'project' }, call())),
          () => store.change((view) => removeMember(view, 't-3', { name: 'Ripley', next: undefined }, call())),
        ];
        for (const write of writes) await expect(write()).rejects.toMatchObject({ code: 'team_archived' });
        expect(await kinds(store, 't-3')).toEqual(['team-created', 'member-joined', 'team-archived']);
      },
    );

    test('what was handed in comes back byte for byte, the latest first, and only with the change it belongs to', async () => {
      const { store, create, other } = fresh();
      await create('crew');
      const artifact = (id: string, taskId: string | null, content: Uint8Array) =>
        newArtifact({
          ...{
            id,
            teamId: 't-1',
            taskId,
            attempt: taskId === null ? null : 1,
            name: HOSTILE,
            contentType: 'text/plain',
          },
          ...{ content, state: 'staged', createdBy: 'hicks', createdAt: 5 },
        });
      const bytes = Uint8Array.from([0, 255, 39, 10, 200]);
      const [first, second] = [artifact('a-1', 'seal', bytes), artifact('a-2', null, new Uint8Array())];
      await store.change(() => withoutQueries({ ...EMPTY_TEAM_PLAN, artifacts: [first, second], result: undefined }));
      const kept = await other().artifact('a-1');
      expect(kept && [...kept.content]).toEqual([...bytes]);
      expect(kept).toMatchObject({ ...labelOf(first) });
      const ids = async (options: { task?: string; limit: number }) =>
        (await other().artifacts('t-1', options)).map(({ id }) => id);
      expect([await ids({ limit: 5 }), await ids({ limit: 1 }), await ids({ task: 'seal', limit: 5 })]).toEqual([
        ...[['a-2', 'a-1'], ['a-2'], ['a-1']],
      ]);
      expect(await store.artifact('a-3')).toBeUndefined();
      const broken = store.change(() => {
        throw new TroupeError('bad_input');
      });
      await expect(broken).rejects.toMatchObject({ code: 'bad_input' });
      expect(await ids({ limit: 5 })).toHaveLength(2);
    });

    test('a change and its events are one step, each told once, in order', async () => {
      const { store, create, add, call, other } = fresh();
      await create('crew');
      await add('crew', 'Hicks');
      expect(await add('crew', ' HICKS')).toMatchObject({ changed: false, member: { name: 'Hicks' } });
      await store.change((view) => renameTeam(view, 'crew', { name: 'Watch', reserved: 'project' }, call()));
      await create('others');
      await store.change((view) => removeMember(view, 'watch', { name: 'Ripley', next: 'Hicks' }, call()));
      await other().change((view) => endTeam(view, 'watch', { status: 'disbanded', hasGraph: false }, call()));
      await store.change((view) => endTeam(view, 'watch', { status: 'disbanded', hasGraph: false }, call()));
      expect(await kinds(store, 't-1')).toEqual([
        ...['team-created', 'member-joined', 'member-joined', 'team-renamed', 'member-left', 'member-changed'],
        ...['member-left', 'team-disbanded'],
      ]);
      const [, , joined, renamed] = await store.events('t-1', { limit: 50 });
      expect(joined).toMatchObject({ by: 'ann', payload: { name: 'Hicks', position: 'member' } });
      expect(renamed?.payload).toEqual({ from: 'crew', to: 'Watch' });
      const last = await store.events('t-1', { limit: 2 });
      expect(last.map(({ kind }) => kind)).toEqual(['member-left', 'team-disbanded']);
      expect(await kinds(store, 't-1', renamed?.seq)).toHaveLength(4);
      expect(await store.events('t-1', { after: 0, limit: 1 })).toMatchObject([{ kind: 'team-created' }]);
      expect(await kinds(store, 't-4')).toEqual(['team-created', 'member-joined']);
    });

    test('who left and comes back is on the team again, as somebody new', async () => {
      const { store, create, add, call } = fresh();
      await create('crew');
      const { member: before } = await add('crew', 'Hicks');
      await store.change((view) => removeMember(view, 'crew', { name: 'hicks', next: undefined }, call()));
      const { member, changed } = await add('crew', 'Hicks');
      expect([changed, member.id === before.id]).toEqual([true, false]);
      const statuses = (await store.getTeam('t-1'))?.members.map(({ status }) => status);
      expect(statuses).toEqual(['active', 'removed', 'active']);
    });
  });
}
