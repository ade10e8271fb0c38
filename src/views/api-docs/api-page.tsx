import { Anchor, Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpenapiDocument, OpenapiOperation } from '../../../contract/about.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import classes from './api-page.module.css';

interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenapiOperation;
}

const operationsOf = ({ paths }: OpenapiDocument): readonly NamedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Replaces references to parts that several calls have; those to schemas stay, because the page lists the schemas. */
const withSharedParts = (components: OpenapiDocument['components'], part: unknown): unknown => {
  if (Array.isArray(part)) return part.map((one) => withSharedParts(components, one));
  if (typeof part !== 'object' || part === null) return part;
  const [, kind = '', name = ''] =
    '$ref' in part ? (/^#\/components\/(\w+)\/(\w+)$/.exec(String(part.$ref)) ?? []) : [];
  const shared = components[kind];
  if (kind !== 'schemas' && typeof shared === 'object' && shared !== null)
    return (shared as Readonly<Record<string, unknown>>)[name];
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withSharedParts(components, value)]));
};

const Json = ({ title, value }: { readonly title: string; readonly value: unknown }) => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.part}>
        {title}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard */}
      <pre className={classes.schema} tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </pre>
    </section>
  );
};

const Operation = ({ components, method, path, operation }: NamedOperation & Pick<OpenapiDocument, 'components'>) => {
  const { t } = useTranslation('api-docs');
  const { parameters, requestBody, responses, summary, description } = operation;
  return (
    <details className={classes.operation}>
      <summary>
        <span className={classes.method}>{method}</span>
        <code>{path}</code>
        <span className={classes.dimmed}>
          {summary} {description}
        </span>
      </summary>
      <div className={classes.details}>
        {parameters !== undefined && <Json title={t('parameters')} value={withSharedParts(components, parameters)} />}
        {requestBody !== undefined && <Json title={t('body')} value={withSharedParts(components, requestBody)} />}
        <Json title={t('reply')} value={withSharedParts(components, responses)} />
      </div>
    </details>
  );
};

const Calls = ({ document }: { readonly document: OpenapiDocument }) => {
  const { t } = useTranslation('api-docs');
  const [text, setText] = useState('');
  const searched = text.trim().toLowerCase();
  const found = operationsOf(document).filter(({ method, path, operation }) =>
    `${method} ${path} ${operation.summary}`.toLowerCase().includes(searched),
  );
  const byTag = Map.groupBy(found, ({ operation }) => operation.tags[0] ?? '');
  return (
    <>
      <TextInput label={t('filter')} type="search" value={text} onChange={(event) => setText(event.target.value)} />
      {found.length === 0 && <p role="status">{t('noneFound')}</p>}
      {[...byTag].map(([tag, operations]) => (
        <section key={tag} className={classes.operations} aria-label={tag}>
          <h2 className={classes.tag}>{tag}</h2>
          {operations.map((one) => (
            <Operation key={one.operation.operationId} components={document.components} {...one} />
          ))}
        </section>
      ))}
      <section className={classes.operations} aria-label={t('schemas')}>
        <h2 className={classes.tag}>{t('schemas')}</h2>
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <details key={name} className={classes.operation}>
            <summary>
              <code>{name}</code>
            </summary>
            <div className={classes.details}>
              <Json title={name} value={schema} />
            </div>
          </details>
        ))}
      </section>
    </>
  );
};

/** The calls of the archive, read from its OpenAPI document. */
export const ApiPage = () => {
  const { t } = useTranslation(['api-docs', 'shell']);
  const failureText = useFailureText();
  const { data, error, refetch } = useQuery(useAdministration().openapi());
  return (
    <div className={classes.page} aria-busy={!data && !error}>
      <PageHeading>{t('title')}</PageHeading>
      <p>
        {t('introduction')}{' '}
        <Anchor href="/openapi.json" underline="always">
          {t('download')}
        </Anchor>
      </p>
      {error && (
        <Notice
          urgent
          title={t('failed')}
          text={failureText(failureOfQuery(error))}
          action={<Button onClick={() => void refetch()}>{t('shell:retry')}</Button>}
        />
      )}
      {!data && !error && <Skeleton height={240} />}
      {data && <Calls document={data} />}
    </div>
  );
};
