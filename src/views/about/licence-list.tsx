import { Skeleton, TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAdministration } from '../administration.ts';
import classes from './about.module.css';

/** The packages that the product contains; each opens to the text of its licence. */
export const LicenceList = () => {
  const { t } = useTranslation('about');
  const { data, isError } = useQuery({ ...useAdministration().licences(), staleTime: Number.POSITIVE_INFINITY });
  const [text, setText] = useState('');
  /** Whose text is on the page: all of them at once would be a megabyte. */
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (isError) return <p className={classes.quiet}>{t('licencesMissing')}</p>;
  if (!data) return <Skeleton height={300} radius={6} />;
  const wanted = text.trim().toLowerCase();
  const found = data.packages.filter(
    ({ name, licence }) => name.toLowerCase().includes(wanted) || licence.toLowerCase().includes(wanted),
  );
  return (
    <>
      <p className={classes.quiet}>{t('licencesLead', { count: data.packages.length })}</p>
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
        {found.map(({ name, version, licence, text: place }) => {
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
                  <span className={classes.quiet}>{version}</span>
                  <span className={classes.licence}>{licence}</span>
                </summary>
                {opened.has(key) && (
                  <pre className={classes.text}>
                    {(place === null ? null : data.texts[place]) ?? t('noText', { name: licence })}
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
