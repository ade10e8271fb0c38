import { useTranslation } from 'react-i18next';
import { DestructionOrders } from '../forms/destruction-orders.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { DueList } from './due-list.tsx';
import classes from './retention.module.css';

interface RetentionPageProps {
  readonly clinicId: string;
  /** The user's own account. */
  readonly accountId: string | null;
}

/** Patients whose retention has ended, and the orders to destroy records. */
export const RetentionPage = ({ clinicId, accountId }: RetentionPageProps) => {
  const { t } = useTranslation('destruction');
  return (
    <div className={classes.page}>
      <PageHeading>{t('title')}</PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      <DueList clinicId={clinicId} />
      <section className={classes.part} aria-label={t('orders')}>
        <h2 className={classes.heading}>{t('orders')}</h2>
        <p className={classes.lead}>{t('ordersLead')}</p>
        <DestructionOrders clinicId={clinicId} accountId={accountId} />
      </section>
    </div>
  );
};
