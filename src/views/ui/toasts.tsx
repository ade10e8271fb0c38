import { useNotifications } from '@mantine/notifications';
import { Suspense, useDeferredValue } from 'react';
import { lazyComponent } from './lazy-component.ts';

const ToastStrip = lazyComponent(async () => (await import('./toast-strip.tsx')).ToastStrip);

/**
 * Container of the toasts. Its code is loaded when `ready`, before a connection loss can prevent it, or with the first
 * toast; the sign-in page does without.
 */
export const Toasts = ({ ready }: { ready: boolean }) => {
  const { notifications } = useNotifications();
  // Loaded after the first render.
  const isMounted = useDeferredValue(ready, false);
  return (
    (isMounted || notifications.length > 0) && (
      <Suspense fallback={null}>
        <ToastStrip />
      </Suspense>
    )
  );
};
