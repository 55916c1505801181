//! The largest strongly connected component of a directed graph, by Tarjan's algorithm.

const UNSEEN: usize = usize::MAX;

/// Which of `count` nodes belong to the largest component in which all reach all; of equals the one
/// found first.
pub(super) fn largest_component<Next>(count: usize, next: impl Fn(usize) -> Next) -> Vec<bool>
where
    Next: Iterator<Item = usize>,
{
    let mut search = Search {
        order: vec![UNSEEN; count],
        low: vec![0; count],
        closed: vec![false; count],
        open: Vec::new(),
    };
    let mut largest = Vec::new();
    let mut seen = 0;
    // The calls of the recursive form: a node and what is left of its successors.
    let mut calls: Vec<(usize, Next)> = Vec::new();
    for root in 0..count {
        if search.order[root] == UNSEEN {
            search.enter(root, &mut seen);
            calls.push((root, next(root)));
        }
        while let Some((node, successors)) = calls.last_mut() {
            let node = *node;
            match successors.next() {
                Some(successor) if search.order[successor] == UNSEEN => {
                    search.enter(successor, &mut seen);
                    calls.push((successor, next(successor)));
                }
                Some(successor) if !search.closed[successor] => {
                    search.low[node] = search.low[node].min(search.order[successor]);
                }
                Some(_) => {}
                None => {
                    calls.pop();
                    if let Some((caller, _)) = calls.last() {
                        search.low[*caller] = search.low[*caller].min(search.low[node]);
                    }
                    if search.low[node] == search.order[node] {
                        let component = search.close(node);
                        if component.len() > largest.len() {
                            largest = component;
                        }
                    }
                }
            }
        }
    }
    let mut kept = vec![false; count];
    largest.into_iter().for_each(|node| kept[node] = true);
    kept
}

struct Search {
    order: Vec<usize>,
    low: Vec<usize>,
    closed: Vec<bool>,
    open: Vec<usize>,
}

impl Search {
    fn enter(&mut self, node: usize, seen: &mut usize) {
        self.order[node] = *seen;
        self.low[node] = *seen;
        self.open.push(node);
        *seen += 1;
    }

    /// Takes the component that `node` is the root of off the open nodes.
    fn close(&mut self, node: usize) -> Vec<usize> {
        let start = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
        let component = self.open.split_off(start);
        component.iter().for_each(|&member| self.closed[member] = true);
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;

    fn reached(arcs: &[Vec<usize>], from: usize) -> Vec<bool> {
        let mut reached = vec![false; arcs.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                open.extend(&arcs[node]);
            }
        }
        reached
    }

    #[test]
    fn all_members_reach_each_other_and_no_larger_set_does() {
        for index in 0..200 {
            let mut stream = Stream::new(5, "component", index);
            let count = 1 + stream.index(12);
            let arcs: Vec<Vec<usize>> =
                (0..count).map(|_| (0..stream.index(3)).map(|_| stream.index(count)).collect()).collect();
            let reach: Vec<Vec<bool>> = (0..count).map(|node| reached(&arcs, node)).collect();
            let size =
                |node: usize| (0..count).filter(|&other| reach[node][other] && reach[other][node]).count();
            let kept = largest_component(count, |node| arcs[node].iter().copied());
            let members: Vec<usize> = (0..count).filter(|&node| kept[node]).collect();
            assert_eq!(Some(members.len()), (0..count).map(size).max());
            assert!(members.iter().all(|&from| members.iter().all(|&to| reach[from][to])));
        }
    }
}
