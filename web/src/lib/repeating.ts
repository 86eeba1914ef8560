/** Does something now, and again a while after it was done: never twice at a time, however long it takes. Gives what ends it. */
export function repeating(period: number, work: () => Promise<unknown>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const turn = async () => {
    if (!document.hidden) await work().catch(() => {});
    if (!isOver) timer = setTimeout(turn, period);
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
