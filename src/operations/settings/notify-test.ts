import path from 'node:path';
import * as z from 'zod/mini';
import { CHANNELS } from '#core/mail/channels.js';
import { noticeRecipients } from '#core/settings/places.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import type { MachineContext } from '#operations/contexts.js';
import { failureText } from '#operations/failure-text.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';

/** Sends one notice to each configured channel. Errors: `notify_unconfigured`. */
export const notifyTest = operation({
  name: 'notify.test',
  command: 'notify test',
  group: 'Settings',
  kind: 'write',
  summary: 'Send one notice to each configured channel and show which arrived',
  examples: ['troupe notify test', 'troupe notify test --json'],
  input: z.strictObject({}),
  output: z.object({
    /** Whether every channel accepted it. */
    ok: z.boolean(),
    channels: z.array(z.object({ channel: z.enum(CHANNELS), sent: z.boolean(), why: z.optional(z.string()) })),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context: MachineContext) {
    const { settings, warnings } = await loadSettings(context);
    const recipients = noticeRecipients(settings);
    if (recipients.length === 0)
      throw new TroupeError('notify_unconfigured', {
        what: 'No channel for notices is configured.',
        ...(warnings.length === 0
          ? { hint: 'Run `troupe config set notify.desktop true`, or read docs/guide/notifications.md.' }
          : { why: warnings.join(' '), hint: 'Run `troupe trust --show`, then `troupe trust`.' }),
      });
    const channels = await Promise.all(recipients.map((one) => tried(context, one)));
    return { ok: channels.every(({ sent }) => sent), channels, warnings };
  },
});

async function tried(context: MachineContext, { channel, to }: ReturnType<typeof noticeRecipients>[number]) {
  const project = path.basename(context.projectFolder);
  const notice = {
    id: `test-${context.freshId()}`,
    to,
    subject: `[${project}] Test of notices`,
    text: 'Notices of this project arrive here.',
  };
  try {
    await (await context.notifier(channel)).send(notice, new AbortController().signal);
    return { channel, sent: true };
  } catch (error) {
    return { channel, sent: false, why: failureText(asTroupeError(error)) };
  }
}
