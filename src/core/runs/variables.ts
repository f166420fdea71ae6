import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';

/**
 * Names of variables of the person that a client may get; a name that ends with `*` is a prefix. Entries with `when`
 * apply only if one of those variables is set: cloud keys go only to clients that use the cloud.
 */
export type Passes = readonly (string | { readonly when: readonly string[]; readonly names: readonly string[] })[];

/** Variables for access to AWS. */
export const AWS = [
  ...['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'],
  ...['AWS_ROLE_ARN', 'AWS_ROLE_SESSION_NAME', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CA_BUNDLE', 'AWS_SDK_LOAD_CONFIG'],
  ...['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'],
  ...['AWS_CONTAINER_AUTHORIZATION_TOKEN', 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', 'AWS_EC2_METADATA_DISABLED'],
  ...['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME'],
];
/** Variables for access to Google Cloud. */
export const GOOGLE_CLOUD = [
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_PROJECT_ID', 'GOOGLE_CLOUD_LOCATION'],
  ...['GCLOUD_PROJECT', 'GOOGLE_CLOUD_QUOTA_PROJECT', 'CLOUDSDK_CONFIG', 'CLOUD_ML_REGION'],
];
/** Variables for access to Azure. */
export const AZURE = [
  ...['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_CLIENT_CERTIFICATE_PATH'],
  ...['AZURE_FEDERATED_TOKEN_FILE', 'AZURE_AUTHORITY_HOST'],
];

/**
 * Cloud variables for a client with many providers: those of the cloud of its model; without a model those of all
 * clouds, since its own settings choose the model.
 */
export function cloudsOf({ model, provider }: { model?: string | undefined; provider?: string | undefined }): string[] {
  const named = `${provider ?? ''} ${model ?? ''}`;
  const uses = (cloud: RegExp) => model === undefined || cloud.test(named);
  return [
    ...(uses(/bedrock/i) ? AWS : []),
    ...(uses(/vertex/i) ? [...GOOGLE_CLOUD, 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_VERTEX_LOCATION', 'VERTEX_LOCATION'] : []),
    ...(uses(/azure|foundry/i) ? AZURE : []),
  ];
}

/** The variables that a client gets. Values that an environment cannot hold are omitted. */
export function passedFrom(
  passes: Passes,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const isSet = (name: string) => (environment[name] ?? '') !== '';
  const names = passes.flatMap((entry) => {
    if (typeof entry === 'string') return entry;
    return entry.when.some(isSet) ? entry.names : [];
  });
  const variables: Record<string, string> = {};
  for (const name of names.flatMap((each) => namesLike(each, environment))) {
    const value = environment[name];
    if (value !== undefined && !value.includes('\0')) variables[name] = value;
  }
  return variables;
}

function namesLike(name: string, environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (!name.endsWith('*')) return [name];
  return Object.keys(environment).filter((each) => each.startsWith(name.slice(0, -1)));
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
/** Variables that identify a run, inputs of its task, and variables of the shell. */
const RESERVED_NAMES = /^(WG_|TROUPE_|IN_|BASH|SHELLOPTS$|E?UID$|PPID$)/;

/** Parses the names of variables that the person's settings pass to every client. Errors: `bad_config`. */
export function namesToPass(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > TEAM_LIMITS.passedVariables) {
    throw wrong(`it must be a list of at most ${TEAM_LIMITS.passedVariables} names`);
  }
  return value.map((name: unknown) => {
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw wrong(`${cut(inert(String(JSON.stringify(name))), 120)} is not a variable name`);
    }
    if (RESERVED_NAMES.test(name)) throw wrong(`${name} cannot be passed: every run has its own, or none`);
    return name;
  });
}

function wrong(why: string): TroupeError {
  return new TroupeError('bad_config', { what: `executors.pass_env: ${why}.` });
}
