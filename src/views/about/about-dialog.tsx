import { Button, Modal, Skeleton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAdministration } from '../administration.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { ProductMark } from '../parts/product-mark.tsx';
import classes from './about.module.css';
import { LicenceList } from './licence-list.tsx';

const facts = ['adminVersion', 'gitCommitNumber', 'dataLibraryVersion'] as const;

/** Which edition of the product this is, and whose work it contains. */
export const AboutDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation(['about', 'shell']);
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
            <p className={classes.quiet}>{t('lead')}</p>
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
