import { expect } from 'vitest';
import { callOperation } from '#operations/call.js';
import { specOf } from '#operations/named.js';
import { TeamStage } from '../operations/teamwork/team-stage.js';
import { verifies } from '../verifies.js';
import { bearer, serve } from './http-client.js';

verifies(
  'team.artifact',
  'what was handed in is served byte for byte, as an attachment that no browser guesses at',
  async () => {
    const crew = new TeamStage();
    crew.person('ann');
    await crew.crew();
    const call = (name: string, input: unknown) => callOperation(specOf(name), crew.context(), input);
    const content = '<script>alert(1)</script>\u{1f600}\n';
    const wish = { team: 'crew', content, name: "page's (1)\u{e9}.html", content_type: 'text/html' };
    const { artifact } = (await call('artifact.put', wish)) as { artifact: { id: string } };
    const { ask } = await serve({ call });
    const answer = await ask(`/api/artifacts/${artifact.id}`, { headers: bearer });
    expect([answer.status, answer.text]).toEqual([200, content]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': "attachment; filename*=UTF-8''page%27s%20%281%29%C3%A9.html",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect((await ask(`/api/artifacts/${artifact.id}`)).status).toBe(401);
    expect((await ask('/api/artifacts/no-such', { headers: bearer })).json().error.code).toBe('not_found');
  },
);
