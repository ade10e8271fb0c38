import { Button, Skeleton, Table } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { byteOrderMark, csvRow } from '../../../contract/csv.ts';
import {
  acceptableShare,
  type GradeGroup,
  type GradeReport,
  type GradeTally,
  gradedIn,
  gradeGroupOf,
  gradeGroups,
  gradeSampleSize,
  gradeTarget,
  sumOfTallies,
} from '../../../contract/grade-report.ts';
import { gradeReasons } from '../../../contract/grade-summary.ts';
import { useGallery } from '../app/loaded-services.ts';
import { QueryFailed } from '../forms/query-failed.tsx';
import { IconAlert } from '../ui/icon-alert.tsx';
import { saveFile } from '../ui/save-file.ts';
import type { Period } from './period.ts';
import classes from './quality.module.css';

/** A row of a table: what it counts, and its images. */
interface TallyRow {
  readonly key: string;
  readonly name: string;
  readonly tally: GradeTally;
}

const useShareText = () => {
  const { i18n } = useTranslation();
  return (tally: GradeTally): string => acceptableShare(tally)?.toLocaleString(i18n.language) ?? '';
};

const TallyTable = ({ head, rows }: { readonly head: string; readonly rows: readonly TallyRow[] }) => {
  const { t } = useTranslation(['quality', 'grade']);
  const shareText = useShareText();
  return (
    <Table.ScrollContainer minWidth={760} type="native" tabIndex={0} role="region" aria-label={head}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{head}</Table.Th>
            <Table.Th>{t('graded')}</Table.Th>
            <Table.Th>{t('grade:A')}</Table.Th>
            <Table.Th>{t('share')}</Table.Th>
            {gradeReasons.map((reason) => (
              <Table.Th key={reason}>{t(`grade:reason-${reason}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, name, tally }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{gradedIn(tally).graded}</Table.Td>
              <Table.Td>{tally.acceptable}</Table.Td>
              <Table.Td>{t('percent', { share: shareText(tally) })}</Table.Td>
              {gradeReasons.map((reason) => (
                <Table.Td key={reason}>{tally.notAcceptable[reason]}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

/** The share of a group beside the target, and its kinds. */
const GroupReport = ({ group, rows }: { readonly group: GradeGroup; readonly rows: readonly TallyRow[] }) => {
  const { t } = useTranslation('quality');
  const shareText = useShareText();
  const total = sumOfTallies(rows.map(({ tally }) => tally));
  const { graded } = gradedIn(total);
  const isReached = (acceptableShare(total) ?? 0) >= gradeTarget;
  return (
    <div className={classes.group}>
      <h3 className={classes.subheading}>{t(group)}</h3>
      {graded === 0 ? (
        <p className={classes.dimmed}>{t('noneGraded')}</p>
      ) : (
        <>
          <p className={classes.share}>
            <strong>{t('percent', { share: shareText(total) })}</strong>
            <span>{t('acceptableOf', { acceptable: total.acceptable, graded })}</span>
            {isReached && <span>{t('targetReached', { target: gradeTarget })}</span>}
          </p>
          {!isReached && <IconAlert tone="caution">{t('belowTarget', { target: gradeTarget })}</IconAlert>}
          {graded < gradeSampleSize && (
            <p className={classes.dimmed}>
              {t('tooFew', { count: gradeSampleSize - graded, needed: gradeSampleSize })}
            </p>
          )}
          <TallyTable head={t('kind')} rows={rows} />
        </>
      )}
    </div>
  );
};

interface QualityReportProps {
  readonly clinicId: string;
  readonly period: Period;
}

/** Share of acceptable images of a clinic by kind, reason and operator, and the same as a CSV file. */
export const QualityReport = ({ clinicId, period }: QualityReportProps) => {
  const { t } = useTranslation(['quality', 'grade']);
  const shareText = useShareText();
  const { data, error, refetch } = useQuery({
    ...useGallery().gradeReport(clinicId, period),
    refetchOnMount: 'always',
  });
  const kindsOf = ({ kinds }: GradeReport, group: GradeGroup): readonly TallyRow[] =>
    kinds
      .filter(({ kind }) => gradeGroupOf(kind) === group)
      .map(({ kind, ...tally }) => ({ key: kind, name: t(`kind-${kind}`), tally }));
  const operatorsOf = ({ operators }: GradeReport): readonly TallyRow[] =>
    operators.map(({ operator, ...tally }) => ({ key: operator ?? '', name: operator ?? t('notStated'), tally }));
  const save = (report: GradeReport) => {
    const reasons = gradeReasons.map((reason) => t(`grade:reason-${reason}`));
    const head = [t('countedBy'), '', t('graded'), t('grade:A'), t('sharePercent'), t('targetPercent'), ...reasons];
    const lineOf = (by: string, { name, tally }: TallyRow) =>
      csvRow([
        by,
        name,
        String(gradedIn(tally).graded),
        String(tally.acceptable),
        shareText(tally),
        String(gradeTarget),
        ...gradeReasons.map((reason) => String(tally.notAcceptable[reason])),
      ]);
    const totalOf = (group: GradeGroup): TallyRow => ({
      key: group,
      name: t('all'),
      tally: sumOfTallies(kindsOf(report, group).map(({ tally }) => tally)),
    });
    const lines = [
      ...gradeGroups.flatMap((group) =>
        [...kindsOf(report, group), totalOf(group)].map((row) => lineOf(t(group), row)),
      ),
      ...operatorsOf(report).map((row) => lineOf(t('operator'), row)),
    ];
    saveFile({
      name: `dentarium-image-quality-${period.from}-${period.to}.csv`,
      content: new Blob([byteOrderMark, csvRow(head), ...lines], { type: 'text/csv;charset=utf-8' }),
    });
  };
  if (error && !data)
    return (
      <div>
        <QueryFailed error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (!data) return <Skeleton height={240} aria-busy="true" />;
  return (
    <section className={classes.part} aria-label={t('report')}>
      <div className={classes.head}>
        <h2 className={classes.heading}>{t('report')}</h2>
        {data.kinds.length > 0 && (
          <Button variant="default" leftSection={<IconDownload aria-hidden="true" />} onClick={() => save(data)}>
            {t('export')}
          </Button>
        )}
      </div>
      {gradeGroups.map((group) => (
        <GroupReport key={group} group={group} rows={kindsOf(data, group)} />
      ))}
      {data.operators.length > 0 && (
        <div className={classes.group}>
          <h3 className={classes.subheading}>{t('byOperator')}</h3>
          <TallyTable head={t('operator')} rows={operatorsOf(data)} />
        </div>
      )}
    </section>
  );
};
