import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { patientSearchPrivate } from '../../../contract/patients.ts';
import type { ReplyOf } from '../../../contract/route.ts';
import type { ReadQuery } from '../app/queries-context.tsx';
import { AgeText } from '../language/age-text.tsx';
import { today } from '../ui/age.ts';
import { nameOfPatient } from './row-names.ts';
import classes from './search.module.css';

/** Patients with names similar to the search text, below a list with few or no matches. `query` is the list's own. */
export const SimilarPatients = ({ query }: { readonly query: ReadQuery<ReplyOf<typeof patientSearchPrivate>> }) => {
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
