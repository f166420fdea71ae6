import { decide } from '#core/coordinator/parts.js';
import type { Budget } from '#core/coordinator/snapshot.js';
import type { Channel } from '#core/mail/channels.js';
import { guardedFingerprint, settingsFrom } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { Errands } from '#operations/coordinator/errands.js';
import { NoticesHost } from '#operations/coordinator/notices-host.js';
import type { Notice } from '#ports/notify.js';
import { contextOf } from '../../context-of.js';
import { quietSnapshot } from '../../core/coordinator/quiet-snapshot.js';
import { type World, world } from '../../e2e/world.js';

/** Everything that is sent, and what the channels answer. */
interface Post {
  readonly sent: (Notice & { readonly channel: Channel })[];
  /** Reason why a channel refuses; undefined if it accepts. */
  refuses: (channel: Channel) => string | undefined;
}

/**
 * The part of notices with its host, on a graph in memory and a clock that the test moves. `own`: the world of an earlier
 * service, after which this one begins.
 */
export function noticeStage(notify: object, own: World = world(), budget?: Budget) {
  const post: Post = { sent: [], refuses: () => undefined };
  const errands = new Errands(() => undefined);
  const agreed = guardedFingerprint(settingsFrom({ notify }).settings);
  const host = new NoticesHost(
    { errands, store: own.store },
    contextOf({
      clock: own.clock,
      projectFolder: '/work/parser',
      settings: async () => ({ name: 'config.toml', read: async () => ({ notify }), set: never }),
      trust: async () => ({ ...(await own.context.trust()), read: async () => ({ settings: agreed }) as never }),
      notifier: async (channel) => ({
        send: async (notice) => {
          const why = post.refuses(channel);
          if (why !== undefined) throw new TroupeError('notify_failed', { what: 'No.', why });
          post.sent.push({ channel, ...notice });
          return { channel, reference: notice.id };
        },
      }),
    }),
  );
  /** One round, without waiting for what it sends. */
  const round = async () => {
    const view = await own.store.view();
    const facts = await host.facts({ view } as never);
    const snapshot = { ...quietSnapshot(view), ...facts, budget, errands: errands.facts() };
    const decisions = decide(snapshot, own.clock.now()).filter((decision) => decision.do in host.carryOut);
    await own.store.commit(() => ({ events: decisions.flatMap(({ events }) => events), result: undefined }));
    const after = await own.store.view();
    for (const decision of decisions) host.carryOut[decision.do as 'keep-notices'](decision as never, after);
    return decisions;
  };
  /** Rounds until nothing is left to do now. */
  const settle = async () => {
    for (let decisions = await round(); decisions.length > 0; decisions = await round())
      for (const key of errands.facts().underWay) await errands.firstOf([key]);
  };
  return { ...own, own, host, post, round, settle, errands };
}

const never = async (): Promise<never> => {
  throw new Error('notices change no settings');
};
