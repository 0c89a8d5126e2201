package scan

import "sync"

// queue is an unbounded stack of jobs that workers take from and add to. It
// ends when no job is left and no worker is busy, or when it is stopped.
type queue[T any] struct {
	mu      sync.Mutex
	wake    sync.Cond
	jobs    []T
	busy    int
	stopped bool
}

func newQueue[T any](first T) *queue[T] {
	q := &queue[T]{jobs: []T{first}}
	q.wake.L = &q.mu
	return q
}

// add puts jobs on the stack.
func (q *queue[T]) add(jobs ...T) {
	if len(jobs) == 0 {
		return
	}
	q.mu.Lock()
	q.jobs = append(q.jobs, jobs...)
	q.mu.Unlock()
	q.wake.Broadcast()
}

// next waits for a job. The caller calls done after it.
func (q *queue[T]) next() (job T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && q.busy > 0 && !q.stopped {
		q.wake.Wait()
	}
	if len(q.jobs) == 0 || q.stopped {
		return job, false
	}
	last := len(q.jobs) - 1
	job = q.jobs[last]
	q.jobs = q.jobs[:last]
	q.busy++
	return job, true
}

func (q *queue[T]) done() {
	q.mu.Lock()
	q.busy--
	idle := q.busy == 0 && len(q.jobs) == 0
	q.mu.Unlock()
	if idle {
		q.wake.Broadcast()
	}
}

func (q *queue[T]) stop() {
	q.mu.Lock()
	q.stopped = true
	q.mu.Unlock()
	q.wake.Broadcast()
}

func (q *queue[T]) isStopped() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.stopped
}
