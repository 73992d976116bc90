/** Answers that are kept while the page is open, by what was asked: the one that was kept first goes when there are too many. */
export class KeptAnswers<T> {
  private readonly kept = new Map<string, T>();

  /** `most`: answers that are kept. */
  constructor(private readonly most: number) {}

  /** What is known without asking. */
  find(key: string): T | null {
    return this.kept.get(key) ?? null;
  }

  keep(key: string, answer: T): void {
    this.kept.delete(key);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= this.most && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, answer);
  }
}
