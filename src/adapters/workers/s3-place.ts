import { TroupeError } from '#kernel/errors.js';

/** Address and credentials of an object store. */
export interface S3Place {
  readonly bucket: string;
  /** Prefix of all object names: empty, or ends with a slash. */
  readonly prefix: string;
  /** Origin of the server; objects are below `/BUCKET/`. */
  readonly origin: string;
  readonly region: string;
  readonly keys: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    /** Token of temporary credentials. */
    readonly sessionToken?: string;
  };
}

const USUAL_REGION = 'us-east-1';

/**
 * Resolves a setting `s3://BUCKET/PREFIX` with the usual AWS environment variables. Errors: `blobs_not_chosen` without
 * keys, `bad_config`.
 */
export function s3PlaceOf(setting: string, environment: NodeJS.ProcessEnv): S3Place {
  const [, bucket = '', folder = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(setting) ?? [];
  const region = environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || USUAL_REGION;
  const [accessKeyId, secretAccessKey] = [environment['AWS_ACCESS_KEY_ID'], environment['AWS_SECRET_ACCESS_KEY']];
  if (!accessKeyId || !secretAccessKey)
    throw new TroupeError('blobs_not_chosen', {
      what: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: nothing opens the object store.',
      hint: 'Set both where the command, the service or the worker is started.',
    });
  const sessionToken = environment['AWS_SESSION_TOKEN'];
  return {
    bucket,
    prefix: folder === '' ? '' : `${folder}/`,
    origin: originOf(environment, region),
    region,
    keys: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
  };
}

/** Server from the environment, otherwise Amazon's. Plain HTTP only on this machine. Errors: `bad_config`. */
function originOf(environment: NodeJS.ProcessEnv, region: string): string {
  const named = environment['AWS_ENDPOINT_URL_S3'] || environment['AWS_ENDPOINT_URL'];
  if (!named) return `https://s3.${region}.amazonaws.com`;
  const url = URL.canParse(named) ? new URL(named) : undefined;
  const isHere = url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url === undefined || (url.protocol !== 'https:' && !isHere) || url.pathname !== '/')
    throw new TroupeError('bad_config', {
      what: 'AWS_ENDPOINT_URL_S3 names no server of https://, nor one of http:// on this machine.',
      hint: 'Set it to the address of the object store, such as https://s3.example.org.',
    });
  return url.origin;
}
