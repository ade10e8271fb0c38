import { useTranslation } from 'react-i18next';
import type { InteractionActor } from '../../machines/interaction/interaction.machine.ts';
import type { Language } from '../language/languages.ts';
import { BankIdOrder } from '../ui/bank-id/bank-id-order.tsx';
import { InteractionFrame, TestServer } from './interaction-frame.tsx';

interface BankIdPageProps {
  readonly uid: string;
  readonly actor: InteractionActor;
  readonly onLanguage: (language: Language) => void;
}

/** BankID sign-in. */
export const BankIdPage = ({ uid, actor, onLanguage }: BankIdPageProps) => {
  const { t } = useTranslation(['bank-id', 'interaction']);
  return (
    <InteractionFrame actor={actor} title={t('title')} step="bank-id" onLanguage={onLanguage}>
      <TestServer method="bankid" />
      <BankIdOrder
        uid={uid}
        otherWays={t('interaction:otherWays')}
        onIdentified={(outcome) => outcome && actor.send({ type: 'user.identified', outcome })}
        onFailed={(failure) => actor.send({ type: 'identification.failed', failure })}
        onLeave={() => actor.send({ type: 'method.changed' })}
      />
    </InteractionFrame>
  );
};
