import { useTranslation } from 'react-i18next';
import type { CustomerRow, customerSorts } from '../../../contract/customers.ts';
import { useCountText } from '../language/count-text.ts';
import { MatchedText } from '../ui/matched-text.tsx';
import { type ColumnChoice, useColumnChoice } from '../ui/record-table/columns.ts';

export type ClinicSort = (typeof customerSorts)[number];

/** Returns the columns of the clinic table. `query` is highlighted in the names. */
export const useClinicColumns = (query: string): ColumnChoice<CustomerRow, ClinicSort> => {
  const { t } = useTranslation('clinics');
  const countText = useCountText();
  const plain = (key: keyof CustomerRow & ('address' | 'zipcode' | 'telephone' | 'license' | 'description')) => ({
    key,
    name: t(key),
    text: (clinic: CustomerRow) => clinic[key] ?? '',
    byDefault: key === 'telephone',
  });
  return useColumnChoice<CustomerRow, ClinicSort>('clinic-columns', [
    {
      key: 'name',
      name: t('name'),
      sort: 'name',
      widthShare: 2.2,
      text: ({ name }) => name,
      render: ({ name }) => <MatchedText text={name} query={query} />,
    },
    { key: 'city', name: t('city'), sort: 'city', narrow: true, text: ({ city }) => city ?? '' },
    {
      key: 'organisationNumber',
      name: t('organisationNumber'),
      sort: 'organisationNumber',
      widthShare: 1.2,
      text: ({ organisationNumber }) => organisationNumber ?? '',
    },
    {
      key: 'customerNumber',
      name: t('customerNumber'),
      sort: 'customerNumber',
      text: ({ customerNumber }) => customerNumber ?? '',
    },
    plain('telephone'),
    {
      key: 'users',
      name: t('users'),
      sort: 'users',
      widthShare: 0.8,
      isNumber: true,
      text: ({ users }) => countText.number(users),
    },
    plain('address'),
    plain('zipcode'),
    { key: 'country', name: t('country'), byDefault: false, text: ({ country }) => t(country) },
    plain('license'),
    plain('description'),
    { key: 'proxy', name: t('proxy'), byDefault: false, text: ({ useProxy }) => t(useProxy ? 'yes' : 'no') },
  ]);
};
