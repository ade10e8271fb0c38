import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, importsOf } from './imports-of.ts';

const root = path.dirname(import.meta.dirname);
const folders = ['contract', 'demo', 'dicom', 'server', 'src', 'stand-ins'].filter((folder) =>
  existsSync(path.join(root, folder)),
);
const files = folders.flatMap((folder) => filesBelow(root, folder));
const imports = files.flatMap((file) => importsOf(root, file));

type Layer =
  | 'contract'
  | 'dicom'
  | 'services'
  | 'machines'
  | 'viewer'
  | 'views'
  | 'server'
  | 'demo'
  | 'stand-ins'
  | 'inspect'
  | 'wiring';

const layerOf = (file: string): Layer | null => {
  if (/^src\/(main\.ts|wiring\/[a-z-]+\.ts)$/.test(file)) return 'wiring';
  const inside = /^src\/(services|machines|viewer|views|inspect)\//.exec(file)?.[1];
  if (inside) return inside as Layer;
  const top = file.split('/')[0];
  return top === 'contract' || top === 'dicom' || top === 'server' || top === 'demo' || top === 'stand-ins'
    ? top
    : null;
};

const isViews = (name: string) =>
  /^(react|react-dom|wouter|i18next|react-i18next|dayjs|zod|qr|bowser|papaparse)$|^@(mantine|tabler|tanstack|xstate|fontsource-variable)\//.test(
    name,
  );

/** Packages that each layer may import. */
const packages: Record<Layer, (name: string) => boolean> = {
  contract: (name) => name === 'zod',
  dicom: (name) => name === 'pako',
  services: (name) =>
    [
      'ky',
      'zod',
      'oidc-client-ts',
      '@simplewebauthn/browser',
      '@microsoft/signalr',
      '@tanstack/query-core',
      '@zip.js/zip.js',
      'idb',
    ].includes(name),
  machines: (name) => name === 'xstate',
  viewer: (name) => /^(pixi\.js|comlink|vite|@cornerstonejs\/.+|@cs-.+)$/.test(name),
  views: isViews,
  server: () => true,
  demo: () => true,
  'stand-ins': () => true,
  inspect: (name) => name === 'xstate',
  wiring: () => true,
};

/** Own files that each layer may import. */
const mayImport: Record<Layer, (target: string, layer: Layer | null) => boolean> = {
  contract: (_, layer) => layer === 'contract',
  dicom: (_, layer) => layer === 'dicom',
  services: (_, layer) => layer === 'services' || layer === 'contract',
  machines: (target, layer) => layer === 'machines' || layer === 'contract' || target === 'src/services/failure.ts',
  viewer: (_, layer) => layer === 'viewer' || layer === 'dicom' || layer === 'contract',
  views: (target, layer) =>
    layer === 'views' ||
    layer === 'machines' ||
    layer === 'contract' ||
    target === 'src/services/queries.ts' ||
    target === 'src/viewer/index.ts' ||
    // Draws nothing, so that pages without the viewer do not load it.
    target === 'src/viewer/device-size.ts' ||
    target.startsWith('locales/'),
  // E-mail and access log extracts use the texts of the pages.
  server: (target, layer) =>
    ['server', 'contract', 'dicom', 'demo'].includes(layer ?? '') ||
    target === 'package.json' ||
    target.startsWith('locales/'),
  demo: (target, layer) => ['demo', 'contract', 'dicom'].includes(layer ?? '') || target.startsWith('server/'),
  // Test servers of other organisations; they know the users of the demo clinic.
  'stand-ins': (target, layer) => layer === 'stand-ins' || layer === 'contract' || target.startsWith('demo/'),
  // Development panel for running actors, imported by wiring/start.ts only.
  inspect: (_, layer) => layer === 'inspect',
  wiring: () => true,
};

/** Folders of views that all features may import. */
const isSharedView = (target: string) => /^src\/views\/(ui|theme|language|forms|app)\//.test(target);
const viewFolder = (file: string) => /^src\/views\/([^/]+)\//.exec(file)?.[1] ?? null;

/** Query builder, `sql` template, statement on a connection, or an import of Kysely other than its types. */
const sqlText =
  /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|query)\(|\bsql(\.\w+)?(<[^>]*>)?[`(]|^import (?!type )[^;]*from 'kysely'/m;

/** Folders that all of the server may import; each of them imports only the ones before it. */
const serverBase = ['settings', 'domain', 'db', 'storage', 'jobs', 'web'];
/** They compose the features, as the files of `server/` itself do. */
const programs = ['archive-command', 'demo-seed', 'dicom-gateway'];
/** The file that other features may import; one that is not listed here has none. */
const entryOf: Readonly<Record<string, string>> = {
  'access-log': 'access-log.ts',
  'archive-folder': 'open-folder.ts',
  dicom: 'imaging.ts',
  hub: 'hub.ts',
  imports: 'receive-object.ts',
  integrity: 'file-errors.ts',
  mail: 'mailer.ts',
  'system-status': 'system-status-routes.ts',
};
/** `...{ a, b }` and `...[a, b],` avoid the formatter; JSX attributes and `...[a, b].map()` do not. */
const spreadLiteral = /(?<!\{)\.\.\.\{|\.\.\.\[[^[\]]*\]\s*[,\])}]/;
const serverFolder = (file: string) => /^server\/([^/]+)\//.exec(file)?.[1] ?? null;

describe('the layers', () => {
  it('import only what the layer table allows', () => {
    const forbidden = imports.filter(({ from, to, own }) => {
      const layer = layerOf(from);
      if (!layer) return false;
      return own ? !mayImport[layer](to, layerOf(to)) : !packages[layer](to);
    });
    expect(forbidden.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('keep features of views apart', () => {
    const forbidden = imports.filter(({ from, to, own }) => {
      const [here, there] = [viewFolder(from), viewFolder(to)];
      const composes = here === 'app' || here === 'workspace';
      return own && here && there && here !== there && !composes && !isSharedView(to);
    });
    expect(forbidden.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('keep server/domain free of other server folders and of packages with side effects', () => {
    const forbidden = imports.filter(({ from, to, own }) => {
      if (!from.startsWith('server/domain/')) return false;
      return own ? !/^(contract|dicom|server\/domain)\//.test(to) : !['zod', 'node:crypto'].includes(to);
    });
    expect(forbidden.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('import features of the server through their one entry, and none in the folders below them', () => {
    const crossing = imports.filter(({ from, to, own }) => {
      const [here, there] = [serverFolder(from), serverFolder(to)];
      return own && here && there && here !== there && !programs.includes(here);
    });
    const forbidden = crossing.filter(({ from, to }) => {
      const [here, there] = [serverFolder(from) ?? '', serverFolder(to) ?? ''];
      if (serverBase.includes(here)) return !serverBase.slice(0, serverBase.indexOf(here)).includes(there);
      return !serverBase.includes(there) && to !== `server/${there}/${entryOf[there]}`;
    });
    expect(forbidden.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
    const used = Object.keys(entryOf).filter((folder) =>
      crossing.some(({ to }) => to === `server/${folder}/${entryOf[folder]}`),
    );
    expect(used).toEqual(Object.keys(entryOf));
  });

  it('build SQL in server/db only; features open transactions and pass them to its functions', () => {
    const withSql = files.filter(
      (file) => /^server\/(?!db\/)/.test(file) && sqlText.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(withSql).toEqual([]);
  });

  it('write objects and arrays without spreads of literals', () => {
    const scripts = readdirSync(path.join(root, 'scripts')).map((name) => `scripts/${name}`);
    const tests = ['bench', 'e2e', 'tests', 'tools'].flatMap((folder) => filesBelow(root, folder));
    const all = [...files, ...tests, ...scripts];
    const spread = all.filter(
      (file) =>
        file !== 'tests/architecture.test.ts' && spreadLiteral.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(spread).toEqual([]);
  });

  it('create ids in the browser by newId, which also works on pages without TLS', () => {
    const direct = files.filter(
      (file) =>
        /^(src|contract|dicom)\//.test(file) && /\brandomUUID\(/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(direct).toEqual([]);
  });

  it('import only files that exist', () => {
    const missing = imports.filter(({ to, own }) => own && !existsSync(path.join(root, to)));
    expect(missing.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('have no index files except the viewer', () => {
    expect(files.filter((file) => /\/index\.tsx?$/.test(file) && file !== 'src/viewer/index.ts')).toEqual([]);
  });

  it('have no import cycles', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(root, file)
          .filter(({ own }) => own)
          .map(({ to }) => to),
      ]),
    );
    const settled = new Set<string>();
    const visit = (file: string, trail: readonly string[]): string | null => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file].join(' -> ');
      if (settled.has(file)) return null;
      for (const next of graph.get(file) ?? []) {
        const found = visit(next, [...trail, file]);
        if (found) return found;
      }
      settled.add(file);
      return null;
    };
    expect(files.map((file) => visit(file, [])).filter(Boolean)).toEqual([]);
  });

  it('keep files within 300 lines', () => {
    const long = files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 301);
    expect(long).toEqual([]);
  });

  it('have no file or folder with a meaningless name', () => {
    expect(files.filter((file) => /(^|\/)(common|shared|utils?|helpers?|managers?)(\/|\.)/.test(file))).toEqual([]);
  });
});
