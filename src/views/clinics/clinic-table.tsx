import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Customer } from '../../../contract/customers.ts';
import { MatchedText } from '../parts/matched-text.tsx';
import classes from './clinics.module.css';

interface ClinicTableProps {
  /** null while they load. */
  readonly clinics: readonly Customer[] | null;
  readonly query: string;
  readonly rows: number;
  readonly onOpen: (clinic: Customer) => void;
}

/** Clinics, one row each; the whole row opens the clinic. */
export const ClinicTable = ({ clinics, query, rows, onOpen }: ClinicTableProps) => {
  const { t } = useTranslation('clinics');
  return (
    <table className={classes.table} aria-busy={clinics === null}>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col" className={classes.second}>
            {t('city')}
          </th>
          <th scope="col" className={classes.third}>
            {t('organisationNumber')}
          </th>
          <th scope="col" className={classes.third}>
            {t('telephone')}
          </th>
        </tr>
      </thead>
      <tbody>
        {clinics === null &&
          Array.from({ length: rows }, (_, row) => row).map((row) => (
            <tr key={row}>
              {[55, 45, 50, 48].map((width) => (
                <td key={width}>
                  <Skeleton height={12} width={`${width - ((row * 5) % 11)}%`} radius={3} />
                </td>
              ))}
            </tr>
          ))}
        {clinics?.map((clinic) => (
          <tr key={clinic.id}>
            <td>
              <button
                type="button"
                className={classes.open}
                aria-label={t('open', { name: clinic.name })}
                onClick={() => onOpen(clinic)}
              >
                <MatchedText text={clinic.name} query={query} />
              </button>
            </td>
            <td className={classes.second}>{clinic.city}</td>
            <td className={classes.third}>{clinic.organisationNumber}</td>
            <td className={classes.third}>{clinic.telephone}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
