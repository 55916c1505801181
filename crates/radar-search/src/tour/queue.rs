//! Nodes whose surroundings changed since they were last looked at.

/// A stack without repetition: what changed last is looked at first.
pub(crate) struct Queue {
    waiting: Vec<u32>,
    is_waiting: Vec<bool>,
}

impl Queue {
    pub fn new(nodes: usize) -> Self {
        Self { waiting: Vec::with_capacity(nodes), is_waiting: vec![false; nodes] }
    }

    #[inline(always)]
    pub fn push(&mut self, node: u32) {
        let is_waiting = &mut self.is_waiting[node as usize];
        if !*is_waiting {
            *is_waiting = true;
            self.waiting.push(node);
        }
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<u32> {
        let node = self.waiting.pop()?;
        self.is_waiting[node as usize] = false;
        Some(node)
    }

    pub fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}
