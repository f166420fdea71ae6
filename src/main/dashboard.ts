import type { Caller } from '#ports/callers.js';
import type { HttpServer } from '#surfaces/http/server.js';
import type { DashboardStore } from '#surfaces/http/sessions.js';

/** The HTTP server of a service, started on first use. */
export class Dashboard {
  private readonly memory: DashboardStore;
  private readonly start: () => Promise<HttpServer>;
  private http: Promise<HttpServer> | undefined;
  private listens: readonly string[] = [];

  constructor(memory: DashboardStore, start: () => Promise<HttpServer>) {
    this.memory = memory;
    this.start = start;
  }

  async link(caller: Caller): Promise<string> {
    return (await this.served()).loginAddress(caller);
  }

  /** Addresses at which it listens; none before its first use. */
  addresses(): readonly string[] {
    return this.listens;
  }

  /** Starts the server at once if a browser session is still valid, so that an open page reconnects by itself. */
  resume(now: number, note: (text: string) => void): void {
    if (!this.memory.read().sessions.some(({ until }) => now < until)) return;
    this.served().catch((error) => note(`http: ${(error as Error).message}`));
  }

  /** Ends all browser sessions, including stored ones while the server is not running. */
  async logOut(): Promise<void> {
    if (this.http) (await this.http).endSessions();
    else this.memory.write({ ...this.memory.read(), sessions: [] });
  }

  async close(): Promise<void> {
    await (await this.http?.catch(() => undefined))?.close();
  }

  /** Starts the server unless it runs. */
  async open(): Promise<void> {
    await this.served();
  }

  private served(): Promise<HttpServer> {
    const started = async () => {
      const server = await this.start();
      this.listens = server.addresses;
      return server;
    };
    this.http ??= started().catch((error) => {
      this.http = undefined;
      throw error;
    });
    return this.http;
  }
}
