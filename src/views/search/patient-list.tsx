import IconArrowMerge from '@tabler/icons-react/dist/esm/icons/IconArrowMerge.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Patient, patientSearchPrivate } from '../../../contract/patients.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import { useListUrlState } from '../app/list-url-state.ts';
import { type ReadQuery, useAppQueries } from '../app/queries-context.tsx';
import type { RecordRights } from '../app/rights.ts';
import { AgeText, useAgeText } from '../language/age-text.tsx';
import { listName, PatientName } from '../language/patient-name.tsx';
import { today } from '../ui/dates.ts';
import { MatchedText } from '../ui/matched-text.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Column } from '../ui/record-table/columns.ts';
import { FoundList, type ListFrame } from './found-list.tsx';
import { maxPreviewed, type PreviewSubject } from './preview-subject.ts';
import { RowMenu } from './row-menu.tsx';
import { nameOfPatient } from './row-names.ts';
import classes from './search.module.css';
import { foundBy, patientLists } from './search-url.ts';

/** Patients with names similar to the search text, below a list with few or no matches. `query` is the list's own. */
const SimilarPatients = ({ query }: { readonly query: ReadQuery<ReplyOf<typeof patientSearchPrivate>> }) => {
  const { t } = useTranslation('search');
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  if (!data || data.similar.length === 0) return null;
  return (
    <section className={classes.below} aria-label={t('similar')}>
      <h2 className={classes.belowTitle}>{t('similar')}</h2>
      <ul className={classes.belowRows}>
        {data.similar.map((patient) => (
          <li key={patient.id}>
            <Link className={classes.belowName} href={`/patient/${patient.id}`}>
              {nameOfPatient(patient)}
            </Link>
            <span className={classes.dimmed}>{patient.mainInfo.personalNumber}</span>
            <span className={classes.dimmed}>
              <AgeText birthDate={patient.mainInfo.birthDate} day={today()} />
            </span>
            <span className={classes.dimmed}>{patient.mainInfo.lastStudyDate?.slice(0, 10) ?? t('noStudy')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

interface PatientListProps {
  readonly frame: ListFrame;
  readonly title: string;
  readonly rights: RecordRights;
  readonly onDelete: (patient: Patient) => void;
  readonly onMerge: (patient: Patient) => void;
}

export const previewOfPatient = (row: Patient): PreviewSubject => ({
  of: { patientId: row.id },
  name: nameOfPatient(row),
  detail: row.mainInfo.personalNumber,
  awaited: row.totalStudies === 0 ? 0 : maxPreviewed,
});

/** Returns the columns of the patient table. `query` is highlighted. */
export const usePatientColumns = (query: string): readonly Column<Patient, 'found'>[] => {
  const { t } = useTranslation('search');
  const ageText = useAgeText();
  const lastStudy = ({ mainInfo }: Patient) => mainInfo.lastStudyDate?.slice(0, 10) ?? t('noStudy');
  return [
    {
      key: 'name',
      name: t('name'),
      widthShare: 1.7,
      text: ({ mainInfo }) => listName(mainInfo),
      render: (row) => <PatientName patient={row.mainInfo} query={query} />,
    },
    {
      key: 'personalNumber',
      name: t('personalNumber'),
      narrow: true,
      // The full personal number is shown on phones too, because it distinguishes patients with the same name.
      widthShare: 1.3,
      narrowWidth: 132,
      text: ({ mainInfo }) => mainInfo.personalNumber,
      render: ({ mainInfo }) => <MatchedText text={mainInfo.personalNumber} query={query} />,
    },
    {
      key: 'age',
      name: t('age'),
      widthShare: 0.7,
      text: ({ mainInfo }) => mainInfo.birthDate ?? '',
      render: ({ mainInfo }) => ageText(mainInfo.birthDate, today()),
    },
    { key: 'studies', name: t('studies'), widthShare: 0.85, isNumber: true, text: (row) => String(row.totalStudies) },
    { key: 'lastStudy', name: t('lastStudy'), widthShare: 1.3, text: lastStudy },
    { key: 'birthDate', name: t('birthDate'), byDefault: false, text: ({ mainInfo }) => mainInfo.birthDate ?? '' },
    {
      key: 'comments',
      name: t('comments'),
      byDefault: false,
      widthShare: 1.6,
      text: (row) => row.mainInfo.comments ?? '',
    },
  ];
};

/** Patients of the clinic, or search results with the best match first. */
export const PatientList = ({ frame, title, rights, onDelete, onMerge }: PatientListProps) => {
  const { t } = useTranslation(['search', 'edit', 'lists']);
  const { patients } = useAppQueries();
  const list = useListUrlState(patientLists);
  const { clinicId, url, tools } = frame;
  const below = (
    <>
      <SimilarPatients query={patients(foundBy(clinicId, url, list.request))} />
      {frame.below}
    </>
  );
  return (
    <FoundList
      frame={{ ...frame, below }}
      title={title}
      list={list}
      read={(query) => patients(foundBy(clinicId, url, query))}
      columns={usePatientColumns(list.q)}
      columnsKey="patient-columns"
      nameOf={nameOfPatient}
      hrefOf={({ id }) => `/patient/${id}`}
      previewOf={previewOfPatient}
      actions={(patient) => (
        <RowMenu
          label={t('lists:moreFor', { name: nameOfPatient(patient) })}
          actions={[
            {
              text: t('edit:merge-patient'),
              icon: <IconArrowMerge aria-hidden="true" />,
              disabledReason: rights.merge,
              onDo: () => onMerge(patient),
            },
            {
              text: t('edit:delete-patient'),
              icon: <IconTrash aria-hidden="true" />,
              harms: true,
              disabledReason: rights.patient,
              onDo: () => onDelete(patient),
            },
          ]}
        />
      )}
      empty={<Notice title={t('emptyTitle')} text={t('emptyText')} icon={<IconUsers />} action={tools} />}
    />
  );
};
