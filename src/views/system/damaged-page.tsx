import { Button, Skeleton, Table } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { DamagedImage } from '../../../contract/damaged-images.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { OlderPages } from '../forms/older-pages.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import classes from './system.module.css';

const rowsPerPage = 50;

const pathOf = ({ patientId, seriesUid, uid }: DamagedImage): string =>
  `/patient/${patientId}/${seriesUid}?image=${uid}`;

const DamagedRow = ({ image }: { readonly image: DamagedImage }) => {
  const { t } = useTranslation('system');
  const momentText = useMomentText();
  const modalityName = useModalityName();
  return (
    <Table.Tr>
      <Table.Td>
        <Link href={pathOf(image)} className={classes.textLink}>
          {[image.studyDate ?? t('undated'), modalityName(image.seriesModalityValue)].join(' · ')}
        </Link>
      </Table.Td>
      <Table.Td>{t(`kind-${image.kind}`)}</Table.Td>
      <Table.Td>{momentText(image.since)}</Table.Td>
      <Table.Td>{image.customerName}</Table.Td>
      <Table.Td className={classes.id}>{image.uid}</Table.Td>
    </Table.Tr>
  );
};

/** Lists images whose stored file is damaged or missing: of the own clinic, or of all clinics for installation administrators. */
export const DamagedPage = () => {
  const { t } = useTranslation(['system', 'header', 'shell']);
  const failureText = useFailureText();
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(useAppQueries().damagedImages({ page, ppage: rowsPerPage }));
  const body = () => {
    if (error)
      return (
        <Notice
          urgent
          title={t('damagedFailed')}
          text={failureText(failureOfQuery(error))}
          action={<Button onClick={() => void refetch()}>{t('shell:retry')}</Button>}
        />
      );
    if (!data) return <Skeleton height={120} />;
    if (data.totalCount === 0)
      return <Notice title={t('noDamaged')} text={t('noDamagedText')} icon={<IconCircleCheck />} />;
    return (
      <>
        <p>{t('damagedLead')}</p>
        <Table.ScrollContainer minWidth={760} type="native" tabIndex={0}>
          <Table aria-label={t('header:damaged')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('study')}</Table.Th>
                <Table.Th>{t('fault')}</Table.Th>
                <Table.Th>{t('sinceHead')}</Table.Th>
                <Table.Th>{t('clinic')}</Table.Th>
                <Table.Th>{t('image')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map((image) => (
                <DamagedRow key={image.uid} image={image} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <OlderPages page={page} rowsPerPage={rowsPerPage} totalCount={data.totalCount} onPage={setPage} />
      </>
    );
  };
  return (
    <div className={classes.page} aria-busy={!data && !error}>
      <PageHeading>{t('header:damaged')}</PageHeading>
      {body()}
    </div>
  );
};
