import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Patient } from '../../../contract/patients.ts';
import { AgeText } from '../language/age-text.tsx';
import { today } from '../parts/age.ts';
import { MatchedText } from '../parts/matched-text.tsx';
import classes from './search.module.css';

interface PatientTableProps {
  /** null while they load. */
  readonly patients: readonly Patient[] | null;
  readonly query: string;
  readonly rows: number;
}

const patientPath = (patient: Patient) => `/patient/${patient.id}`;

/** Patients of the clinic, one row each; the whole row leads to the patient. */
export const PatientTable = ({ patients, query, rows }: PatientTableProps) => {
  const { t } = useTranslation('search');
  return (
    <table className={classes.table} aria-busy={patients === null}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col" className={classes.number}>
            {t('personalNumber')}
          </th>
          <th scope="col" className={classes.age}>
            {t('age')}
          </th>
          <th scope="col" className={classes.count}>
            {t('studies')}
          </th>
          <th scope="col" className={classes.date}>
            {t('lastStudy')}
          </th>
        </tr>
      </thead>
      <tbody>
        {patients === null &&
          Array.from({ length: rows }, (_, row) => row).map((row) => (
            <tr key={row}>
              {[62, 70, 40, 20, 60].map((width) => (
                <td key={width}>
                  <Skeleton height={12} width={`${width - ((row * 7) % 13)}%`} radius={3} />
                </td>
              ))}
            </tr>
          ))}
        {patients?.map((patient) => {
          const info = patient.mainInfo;
          return (
            <tr key={patient.id}>
              <td>
                <Link href={patientPath(patient)} className={classes.name}>
                  <MatchedText text={`${info.lastName}, ${info.firstName}`} query={query} />
                </Link>
              </td>
              <td className={classes.number}>
                <MatchedText text={info.personalNumber} query={query} />
              </td>
              <td className={classes.age}>
                <AgeText birthDate={info.birthDate} day={today()} />
              </td>
              <td className={classes.count}>{patient.totalStudies}</td>
              <td className={classes.date}>{info.lastStudyDate?.slice(0, 10) ?? <span>{t('noStudy')}</span>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
