import type { Channel } from '#core/mail/channels.js';
import { matrixPlace, smtpPlace, webhookPlace } from '#core/settings/places.js';
import type { Settings } from '#core/settings/settings.js';
import type { Notifier, Replies } from '#ports/notify.js';

/** The channels to people that the settings describe, with secrets from the environment. */
export class Channels {
  private readonly settings: Settings;
  private readonly environment: NodeJS.ProcessEnv;

  constructor(settings: Settings, environment: NodeJS.ProcessEnv) {
    this.settings = settings;
    this.environment = environment;
  }

  async notifier(channel: Channel): Promise<Notifier> {
    switch (channel) {
      case 'webhook': {
        const { Webhook } = await import('#adapters/notify/webhook.js');
        return new Webhook(webhookPlace(this.settings, this.environment));
      }
      case 'desktop': {
        const { Desktop } = await import('#adapters/notify/desktop.js');
        return new Desktop(this.environment, process.platform);
      }
      case 'email': {
        const { SmtpNotifier } = await import('#adapters/notify/smtp.js');
        return new SmtpNotifier(smtpPlace(this.settings, this.environment));
      }
      case 'matrix':
        return await this.room();
    }
  }

  async room(): Promise<Notifier & Replies> {
    const { MatrixRoom } = await import('#adapters/notify/matrix.js');
    return new MatrixRoom(matrixPlace(this.settings, this.environment));
  }
}
