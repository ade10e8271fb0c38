import { Button, Modal, Skeleton, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useAdministration } from '../app/loaded-services.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { ProductMark } from '../ui/product-mark.tsx';
import classes from './about.module.css';

/** Lists the bundled packages; each row opens the text of its licence. */
const LicenceList = () => {
  const { t } = useTranslation('about');
  const { data, isError } = useQuery({ ...useAdministration().licences(), staleTime: Number.POSITIVE_INFINITY });
  const [text, setText] = useState('');
  /** The expanded licence; rendering all texts at once would put a megabyte on the page. */
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (isError) return <p className={classes.dimmed}>{t('licencesMissing')}</p>;
  if (!data) return <Skeleton height={300} radius={6} />;
  const query = text.trim().toLowerCase();
  const found = data.packages.filter(
    ({ name, licence }) => name.toLowerCase().includes(query) || licence.toLowerCase().includes(query),
  );
  return (
    <>
      <p className={classes.dimmed}>{t('licencesLead', { count: data.packages.length })}</p>
      <TextInput
        aria-label={t('filter')}
        placeholder={t('filter')}
        data-autofocus
        leftSection={<IconSearch aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={classes.packages}>
        {found.length === 0 && <li className={classes.none}>{t('noneFound')}</li>}
        {found.map(({ name, version, licence, text }) => {
          const key = `${name}@${version}`;
          return (
            <li key={key}>
              <details
                onToggle={(event) => {
                  const isOpen = event.currentTarget.open;
                  setOpened((now) => (isOpen ? new Set([...now, key]) : now));
                }}
              >
                <summary>
                  <span className={classes.package}>{name}</span>
                  <span className={classes.dimmed}>{version}</span>
                  <span className={classes.licence}>{licence}</span>
                </summary>
                {opened.has(key) && (
                  <pre className={classes.text}>
                    {(text === null ? null : data.texts[text]) ?? t('noText', { name: licence })}
                  </pre>
                )}
              </details>
            </li>
          );
        })}
      </ul>
    </>
  );
};

const facts = ['adminVersion', 'gitCommitNumber', 'dataLibraryVersion'] as const;

/** Shows the edition and version of the product and the licences of its packages; links to the API documentation. */
export const AboutDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation(['about', 'api-docs', 'shell']);
  const administration = useAdministration();
  const { data, isError, refetch } = useQuery(administration.about());
  const [shown, setShown] = useState(false);
  const clipboard = useClipboard({ timeout: 2_000 });
  const copy = () => {
    if (data) clipboard.copy(facts.map((fact) => `${t(fact)}: ${data[fact]}`).join('\n'));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      size={560}
      zIndex={400}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <div className={classes.about}>
        <div className={classes.product}>
          <ProductMark />
          <div>
            <p className={classes.name}>{t('shell:title')}</p>
            <p className={classes.dimmed}>{t('introduction')}</p>
          </div>
        </div>
        {isError ? (
          <div className={classes.failed}>
            <IconAlert>{t('dataLibraryMissing')}</IconAlert>
            <Button variant="default" onClick={() => void refetch()}>
              {t('shell:retry')}
            </Button>
          </div>
        ) : (
          <>
            <dl className={classes.facts}>
              {facts.map((fact) => (
                <div key={fact}>
                  <dt>{t(fact)}</dt>
                  <dd>{data ? data[fact] : <Skeleton height={12} width={120} radius={3} />}</dd>
                </div>
              ))}
            </dl>
            <Button
              variant="default"
              className={classes.copy}
              disabled={!data}
              leftSection={clipboard.copied ? <IconCheck aria-hidden="true" /> : <IconCopy aria-hidden="true" />}
              onClick={copy}
            >
              {t(clipboard.copied ? 'copied' : 'copy')}
            </Button>
          </>
        )}
        <section className={classes.part}>
          <h3 className={classes.heading}>
            <Link href="/docs/api" className={classes.link} onClick={onClose}>
              {t('api-docs:title')}
            </Link>
          </h3>
          <p className={classes.dimmed}>{t('api-docs:introduction')}</p>
        </section>
        <section className={classes.part}>
          <h3 className={classes.heading}>{t('licences')}</h3>
          {shown ? (
            <LicenceList />
          ) : (
            <Button variant="default" className={classes.copy} onClick={() => setShown(true)}>
              {t('show')}
            </Button>
          )}
        </section>
      </div>
    </Modal>
  );
};
