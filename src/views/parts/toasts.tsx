import { useNotifications } from '@mantine/notifications';
import { Suspense, useDeferredValue } from 'react';
import { lazily } from './lazily.ts';

const ToastStrip = lazily(async () => (await import('./toast-strip.tsx')).ToastStrip);

/**
 * Where toasts appear. What draws them is fetched when it is `ready` to be needed, before a line can be lost, or with the first toast:
 * the sign-in page does without.
 */
export const Toasts = ({ ready }: { ready: boolean }) => {
  const { notifications } = useNotifications();
  // Nothing to see yet: first what there is.
  const wanted = useDeferredValue(ready, false);
  return (
    (wanted || notifications.length > 0) && (
      <Suspense fallback={null}>
        <ToastStrip />
      </Suspense>
    )
  );
};
