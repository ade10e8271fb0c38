import type { Route } from '../../../contract/route.ts';
import { mutated, type Random } from '../../dicom/mutate.ts';
import type { RequestInput } from '../authorization/scene.ts';
import { brokenJson, hostileText, hostileValue, jsonOf, withHostileCharacter } from './hostile-values.ts';
import { encodedForm, type FormPart, mutatedForm } from './mutate-form.ts';
import { mutatedJson, type Supply } from './mutate-json.ts';
import { exampleOf, fieldsOf, jsonSchemaOf } from './schema-example.ts';

export interface HostileRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Whether the contract's schema rejects the body, which is sent as JSON. */
  readonly isInvalid: boolean;
}

/** As a client sends it: text that is no valid Unicode becomes bytes that no UTF-8 has. */
const percentEncoded = (text: string): string =>
  [...text]
    .map((character) => (/[\ud800-\udfff]/.test(character) && character.length === 1 ? '%ED%A0%80' : character))
    .map((character) => (character === '%ED%A0%80' ? character : encodeURIComponent(character)))
    .join('');

type Pair = readonly [name: string, value: string];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonOf(value)).slice(0, 4_000);

const queryChanges: readonly ((pairs: Pair[], at: number, random: Random, supply: Supply) => Pair[])[] = [
  (pairs, at) => pairs.filter((_, index) => index !== at),
  (pairs, at, random) =>
    pairs.map(([name, value], index) => [name, index === at ? textOf(hostileValue(random)) : value]),
  (pairs, at, random) =>
    pairs.map(([name, value], index) => [name, index === at ? hostileText(random).slice(0, 4_000) : value]),
  (pairs, at, random, { ids }) =>
    pairs.map(([name, value], index) => [name, index === at ? (ids[random(ids.length)] ?? '') : value]),
  (pairs, at, random) =>
    pairs.map(([name, value], index) => [name, index === at ? withHostileCharacter(value, random) : value]),
  (pairs, at) => [...pairs, pairs[at] ?? ['id', '1']],
  (pairs, at, random) => [...pairs, [pairs[at]?.[0] ?? 'id', hostileText(random).slice(0, 4_000)]],
  (pairs, at) => pairs.map(([name, value], index) => [index === at ? `${name}[]` : name, value]),
  (pairs, at) => pairs.map(([name, value], index) => [index === at ? `${name}[__proto__]` : name, value]),
  (pairs, _, random) => [...pairs, ['__proto__', hostileText(random).slice(0, 400)]],
  (pairs, _, random, { fields }) => [
    ...pairs,
    [fields[random(fields.length)] ?? 'extra', textOf(hostileValue(random))],
  ],
];

const queryOf = (route: Route, input: RequestInput, random: Random, supply: Supply, isMutated: boolean): string => {
  let pairs: Pair[] = Object.entries(input.query ?? {});
  if (route.query && random(2) === 0) {
    const example = exampleOf(jsonSchemaOf(route.query), random) as Record<string, unknown>;
    pairs.push(
      ...Object.entries(example)
        .filter(([name]) => !(name in (input.query ?? {})))
        .map(([name, value]): Pair => [name, textOf(value)]),
    );
  }
  for (let count = isMutated ? 1 + random(2) : 0; count > 0; count--)
    pairs =
      queryChanges[random(queryChanges.length)]?.(pairs, random(Math.max(1, pairs.length)), random, supply) ?? pairs;
  if (pairs.length === 0) return '';
  const text = pairs.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).join('&');
  return `?${isMutated && random(12) === 0 ? text.replace('=', '').replaceAll('%', '%%') : text}`;
};

const rawSegments = ['%00', '%ff', '%ED%A0%80', '%2e%2e', '..%2f..', '%', '%zz', 'a'.repeat(200), ';a=b', '%20', '-1'];

const pathOf = (route: Route, input: RequestInput, random: Random, supply: Supply, isMutated: boolean): string => {
  const names = [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name);
  const target = names[random(Math.max(1, names.length))];
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = percentEncoded(input.params?.[name] ?? '');
    if (!isMutated || name !== target) return value;
    const kind = random(4);
    if (kind === 0) return rawSegments[random(rawSegments.length)] ?? '';
    if (kind === 1) return supply.ids[random(supply.ids.length)] ?? '';
    return kind === 2
      ? `${value}${rawSegments[random(rawSegments.length)]}`
      : // Without a value the path may be that of another route.
        percentEncoded(hostileText(random).slice(0, 500)) || '%20';
  });
  if (!isMutated || random(6) > 0) return path;
  return [`${path}/`, `/${path}`, path.toUpperCase(), `${path}%00`, `${path}//`][random(5)] ?? path;
};

const headerChanges: readonly ((random: Random) => Record<string, string>)[] = [
  () => ({ 'content-type': 'text/plain' }),
  () => ({ 'content-type': 'application/xml' }),
  () => ({ 'content-type': 'application/x-www-form-urlencoded' }),
  () => ({ 'content-type': 'application/json; charset=utf-16' }),
  () => ({ 'content-type': 'application/json;;;' }),
  () => ({ 'content-type': '/' }),
  () => ({ 'content-type': 'multipart/form-data' }),
  () => ({ 'content-type': 'multipart/form-data; boundary=' }),
  () => ({ 'content-type': `multipart/form-data; boundary="${'b'.repeat(200)}"` }),
  () => ({ 'content-type': 'application/octet-stream' }),
  () => ({ 'content-encoding': 'gzip' }),
  () => ({ 'accept-language': `${'sv,'.repeat(400)}*;q=-1` }),
  () => ({ 'accept-language': 'constructor' }),
  () => ({ accept: 'text/event-stream, */*;q=NaN' }),
  () => ({ accept: 'text/html' }),
  () => ({ origin: 'null' }),
  () => ({ origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }),
  () => ({ 'x-forwarded-for': "1.2.3.4', '::1", 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'a b' }),
  () => ({ 'x-request-id': 'x'.repeat(4_000) }),
  () => ({ cookie: `${'a=b; '.repeat(300)}__proto__=1; =; ;` }),
  () => ({ host: 'elsewhere.example:99999' }),
  () => ({ 'x-http-method-override': 'DELETE' }),
  () => ({ range: 'bytes=0-0' }),
  () => ({ range: 'bytes=-0' }),
  () => ({ range: 'bytes=99999999999999999999-' }),
  () => ({ range: 'bytes=5-1,2-3' }),
  (random) => ({ range: `bytes=${random(900)}-${random(2) ? random(900) : ''}` }),
  () => ({ range: 'lines=1-2', 'if-range': '"x"' }),
  () => ({ 'if-none-match': '*' }),
  () => ({ 'if-modified-since': 'never' }),
  () => ({ 'user-agent': '\u00e5'.repeat(500) }),
];

const jsonBodyOf = (route: Route, input: RequestInput, random: Random, supply: Supply, isMutated: boolean): unknown => {
  let value = input.body;
  if (route.body && random(5) < 2) {
    const example = exampleOf(jsonSchemaOf(route.body), random);
    value = random(3) > 0 ? Object.assign({}, example, value) : example;
  }
  return isMutated ? mutatedJson(value, random, supply) : value;
};

/** Whether the contract rejects a body, as the server reads it. */
const isInvalidFor = (route: Route, text: string): boolean => {
  if (!route.body) return false;
  try {
    return !route.body.safeParse(JSON.parse(text.replace(/^\ufeff/, ''))).success;
  } catch {
    return true;
  }
};

interface Body {
  readonly headers: Record<string, string>;
  readonly bytes: Buffer | null;
  readonly isInvalid: boolean;
}

/** Mutates the JSON in a field of a form. */
const withMutatedJson = (form: FormPart[], random: Random, supply: Supply): FormPart[] =>
  form.map((part) => {
    const text = Buffer.from(part.bytes).toString();
    if (part.fileName !== null || !text.startsWith('{')) return part;
    return { ...part, bytes: Buffer.from(jsonOf(mutatedJson(JSON.parse(text), random, supply))) };
  });

const mutatedParts = (form: FormPart[], random: Random, supply: Supply): FormPart[] =>
  random(2) === 0 ? withMutatedJson(form, random, supply) : mutatedForm(form, random);

const formBody = (form: FormPart[], random: Random, supply: Supply, isMutated: boolean): Body => {
  const encoded = encodedForm(isMutated ? mutatedParts(form, random, supply) : form);
  // A copy, because Node's buffers share memory.
  const whole = new Uint8Array(encoded.bytes);
  const bytes = isMutated && random(4) === 0 ? Buffer.from(mutated(whole, random, whole)) : encoded.bytes;
  return { headers: { 'content-type': encoded.contentType }, bytes, isInvalid: false };
};

const bodyOf = (
  route: Route,
  input: RequestInput,
  form: FormPart[] | null,
  random: Random,
  supply: Supply,
  isMutated: boolean,
): Body => {
  if (form) return formBody(form, random, supply, isMutated);
  if (input.bytes) {
    const bytes = isMutated ? Buffer.alloc(random(70_000), 7) : Buffer.from(input.bytes);
    return { headers: { 'content-type': 'application/octet-stream' }, bytes, isInvalid: false };
  }
  if (input.dicom) {
    const whole = Uint8Array.from(input.dicom);
    const bytes = Buffer.from(isMutated ? mutated(whole, random, whole) : whole);
    return { headers: { 'content-type': 'application/dicom' }, bytes, isInvalid: false };
  }
  const isUnexpected = input.body === undefined;
  if (isUnexpected && (route.method === 'GET' || !isMutated)) return { headers: {}, bytes: null, isInvalid: false };
  const value = isUnexpected ? hostileValue(random) : jsonBodyOf(route, input, random, supply, isMutated);
  const text = jsonOf(value);
  const sent = isMutated && random(15) === 0 ? brokenJson(text, random) : text;
  const headers = { 'content-type': 'application/json' };
  return { headers, bytes: Buffer.from(sent), isInvalid: isInvalidFor(route, sent) };
};

/** Builds one request of a route with hostile parts. Deterministic for the same `random`, except for the ids. */
export const hostileRequest = (
  route: Route,
  input: RequestInput,
  form: FormPart[] | null,
  random: Random,
  ids: readonly string[],
): HostileRequest => {
  const fields = route.body
    ? fieldsOf(jsonSchemaOf(route.body))
    : route.query
      ? fieldsOf(jsonSchemaOf(route.query))
      : [];
  const supply = { ids, fields };
  // One request in twelve is as the scene describes it.
  const isHostile = random(12) > 0;
  const mutatesBody = isHostile && random(3) > 0;
  const mutatesQuery = isHostile && random(route.query ? 2 : 8) === 0;
  const mutatesPath = isHostile && random(route.params ? 3 : 12) === 0;
  const body = bodyOf(route, input, form, random, supply, mutatesBody);
  const url = `${pathOf(route, input, random, supply, mutatesPath)}${queryOf(route, input, random, supply, mutatesQuery)}`;
  const changed = isHostile && random(5) === 0 ? (headerChanges[random(headerChanges.length)]?.(random) ?? {}) : {};
  const isOtherType = 'content-type' in changed || 'content-encoding' in changed;
  const method =
    isHostile && random(60) === 0
      ? (['PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'][random(5)] ?? 'PATCH')
      : route.method;
  return {
    method,
    url,
    headers: { ...body.headers, ...changed },
    body: method === 'HEAD' ? null : body.bytes,
    isInvalid: body.isInvalid && !isOtherType && method === route.method && !mutatesPath,
  };
};
