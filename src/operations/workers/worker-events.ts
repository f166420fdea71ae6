/** An event of a worker, reported as one line. */
export interface WorkerEvent {
  readonly event:
    | 'arrived'
    | 'clock'
    | 'took'
    | 'started'
    | 'refused'
    | 'warned'
    | 'unagreed'
    | 'agreed'
    | 'ended'
    | 'lost'
    | 'parked'
    | 'kept'
    | 'away'
    | 'back'
    | 'draining'
    | 'drained';
  readonly run?: string;
  readonly task?: string;
  readonly text: string;
}
